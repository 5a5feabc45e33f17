#!/usr/bin/env bash
# Runs what `.ci/run` has no time for, prints how long each part took, and fails if any part has failed.
#
#   Scripts/verify.sh [PART…]     without a part, all of them: about three hours on two cores
#
# Parts fetch what they need: browser and packages. One that cannot says so, and is skipped.
set -uo pipefail
. "$(dirname "$0")/parts.sh"

debug() { MEMLAB_THOROUGH=1 swift test; }
release() { MEMLAB_THOROUGH=1 swift test -c release; }
portable() {
  local -x MEMLAB_PORTABLE=1
  swift run --scratch-path .build-portable memlab doctor && swift test --scratch-path .build-portable
}
# What a Mac would compile; nothing of it is run.
mac() { Scripts/mac-like --product memlab && Scripts/mac-like --build-tests; }
orders() { swift run -c release memlab check --schedules all:50000; }

# The course in a browser, and files of `memlab watch` in Chrome's DevTools and Go's pprof.
browser() {
  command -v chromium > /dev/null || apt-get install -y chromium > /dev/null 2>&1 || true
  python3 -m pip install --quiet --no-deps --target .build/axe axe-playwright-python==0.1.8 || true
  swift build -c release && swift run -c release memlab site .build/site &&
    python3 -B Tests/Browser/site_tests.py .build/site .build/release/memlab &&
    python3 -B Tests/Browser/heap_snapshot_tests.py .build/release
}

# Not their operators under LeakCheck, whose races are theirs: `make peers` runs those too.
peers() {
  timeout 900 swift test --manifest-cache none --package-path Tests/Peers --skip OperatorLeakTests
}

# Packages that use memlab as outside packages would.
packages() {
  local fixtures=Tests/Fixtures
  timeout 900 swift test --package-path $fixtures/NewsReader &&
    timeout 900 swift test --package-path $fixtures/Namesakes &&
    timeout 900 swift run --package-path $fixtures/OurLab our-lab check &&
    timeout 300 swift run --package-path $fixtures/OurLab our-lab check --scheduler pool || return
  [ -f /usr/include/sqlite3.h ] || apt-get install -y libsqlite3-dev > /dev/null 2>&1 || {
    echo "skipped: GRDB needs sqlite3.h, and libsqlite3-dev cannot be installed here"
    return 0
  }
  timeout 900 swift run --package-path $fixtures/OurPackages our-packages check &&
    timeout 300 swift run --package-path $fixtures/OurPackages our-packages check --scheduler pool
}

# 'swift package leaks' in a package of its own, and the recipe for 'git bisect'.
bisect() { timeout 1800 Scripts/bisect-recipe.sh; }

# What is written as SARIF, read by a reader of the package registry that refuses what is not.
sarif() {
  python3 -m pip install --quiet --target .build/sarif sarif-pydantic==0.6.2 || {
    echo "skipped: sarif-pydantic cannot be fetched here"
    return 0
  }
  swift build --build-tests || return
  .build/debug/HardCases hostile check --format sarif > .build/check.sarif || [ $? = 1 ] || return
  LEAKCHECK_FIXTURES=1 LEAKCHECK=all LEAKCHECK_FORMAT=sarif LEAKCHECK_OUTPUT=.build/tests.sarif \
    .build/debug/memlabPackageTests.xctest --testing-library swift-testing \
    --filter 'LeakCheckTests.(Unaware|Hostile)Fixtures' > /dev/null 2>&1 || true
  PYTHONPATH=.build/sarif python3 -c '
import sys
from sarif_pydantic import Sarif
for name in sys.argv[1:]:
    log = Sarif.model_validate_json(open(name).read())
    print(name, len(log.runs[0].results), "results")
    assert log.runs[0].results
' .build/check.sarif .build/tests-swift-testing.sarif
}

# Lesson 10, against its server.
server() {
  swift build -c release &&
    MEMLAB_PROGRAM="$PWD/.build/release/memlab" \
      timeout 900 swift test --package-path Tests/Fixtures/GrowingServer
}

# A program with a static runtime that links the agent, built from outside.
linked() { timeout 1800 make linked; }

# Random command lines, blocks of memory, and files that somebody has made to do harm.
fuzz() {
  make fuzz fuzz-memory && MEMLAB_FUZZ_FORMATS=100000 swift test -c release --filter Crafted
}

# Installed below an empty folder, memlab works without a toolchain and goes without a trace.
installed() {
  local folder code=0
  folder=$(mktemp -d "${TMPDIR:-/tmp}/memlab at home.XXXX")
  make install PREFIX="$folder" && "$folder/bin/memlab" check --require-heap &&
    libraries_are_below "$folder" && tables_are_sealed "$folder" && make uninstall PREFIX="$folder" &&
    test -z "$(find "$folder" -type f)" || code=1
  rm -rf "$folder"
  return $code
}

# Whether what is installed finds Swift's libraries where it was installed, and only there.
libraries_are_below() {
  local file found
  for file in "$1"/bin/memlab "$1"/lib/memlab/{memlab-full,libmemlab-agent.so,libmemlab-probe.so}; do
    found=$(ldd "$file" | grep -E 'swift|Foundation|dispatch') || { echo "$file has no Swift"; return 1; }
    if echo "$found" | grep -vF "=> $1/"; then return 1; fi
  done
}

# Whether nobody can change which functions the agent and the probe call, once they are loaded.
tables_are_sealed() {
  local file
  for file in "$1"/lib/memlab/libmemlab-{agent,probe}.so; do
    readelf -d "$file" | grep -q 'FLAGS.*NOW' || { echo "$file binds functions late"; return 1; }
  done
}

# A copy of the process renews its thread's number where that is noted, and leaves alone an address whose upper half
# is the same. Where the kernel places libraries in order, their addresses begin with 0x7fff.
numbers() {
  local chosen=/proc/sys/kernel/ns_last_pid attempt number
  [ -w $chosen ] && [ "$(cat /proc/sys/kernel/pid_max)" -gt 32768 ] || {
    echo "skipped: only root can choose a process's number, where there are more than 32,768"
    return 0
  }
  swift build -c release --product memlab || return
  for attempt in 1 2 3 4 5; do
    echo 32766 > $chosen
    setarch -R .build/release/memlab check &
    number=$!
    wait $number || return
    [ $number != 32767 ] || return 0
  done
  echo "another process got the number 32767, $attempt times"
  return 1
}

# The first snapshot of a large heap, beside what detects its leaks and says no more.
million() { make million; }

mutants() { swift Tests/Mutants/mutants.swift; }

parts="lint debug release catalog orders portable mac browser peers packages bisect sarif server linked fuzz
  installed numbers million mutants unchanged"
for name in ${*:-$parts}; do
  [[ " $(echo $parts) " == *" $name "* ]] ||
    { echo "Error: '$name' is not a part. The parts are: $(echo $parts)" >&2; exit 64; }
done
for name in ${*:-$parts}; do part "$name" "$name"; done
true
