# For .ci/run and Scripts/verify.sh, which run one part after another.
set -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
notes=$(mktemp -d)
touch "$notes/failures" "$notes/times"

# part NAME COMMAND…   runs a command, and notes how long it took and what of its output tells of a failure.
part() {
  local name=$1 start=$SECONDS verdict=passed
  shift
  echo "== $name"
  if ! "$@" 2>&1 | tee "$notes/output"; then
    verdict=FAILED
    {
      echo "== what failed: $name: $*"
      awk '/^(◇|✔|\[)/ { failed = 0 }
        /^✘|[Ee]rror: |Fatal error|has crashed|SURVIVES|NO MUTANT/ { failed = 1 } failed' "$notes/output"
    } >> "$notes/failures"
  fi
  printf '%-7s %5d s  %s\n' $verdict $((SECONDS - start)) "$name" >> "$notes/times"
  [ $verdict = passed ]
}

# How long each part took; and what failed once more, for who reads a long output may have no more of it
# than its end.
finish() {
  local code=$?
  echo "== how long each part took"
  cat "$notes/times"
  printf '        %5d s  in all\n' $SECONDS
  cat "$notes/failures"
  [ -s "$notes/failures" ] && code=1
  rm -rf "$notes"
  exit $code
}
trap finish EXIT

# Nothing of the build is committed, nothing was rewritten.
unchanged() { test -z "$(git status --porcelain)" || { git status --short; echo "error: files changed"; false; }; }

lint() { swift format lint --strict --parallel --recursive Package.swift Plugins Sources Tests; }

# Every scenario measures what it declares, on both schedulers, release; the heap is read there, too.
catalog() {
  swift run -c release memlab doctor && swift run -c release memlab check &&
    swift run -c release memlab check --scheduler pool
}
