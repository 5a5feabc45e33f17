#!/bin/sh
# Runs the whole catalog under a sanitizer: sanitize.sh thread|address
set -eu
cd "$(dirname "$0")/.."
scratch=${SCRATCH:-.build/sanitize-$1}
swift build --sanitize="$1" --product memlab --scratch-path "$scratch"
memlab=$scratch/debug/memlab

# The heap is not read here, and that is said.
"$memlab" doctor | grep -q "a sanitizer brings its own allocator"

scenarios() {
  "$memlab" list | sed -n 's/^    \([a-z-]*\) .*/\1/p'
}

# Whether the sanitizer reports a race in one of five runs: two threads have to meet for it.
reports() {
  for _ in 1 2 3 4 5; do
    "$@" >"$scratch/race.txt" 2>&1 || true
    if grep -q "WARNING: ThreadSanitizer: .*race" "$scratch/race.txt"; then return 0; fi
  done
  echo "ThreadSanitizer did not report the race of: $*" >&2
  exit 1
}

case $1 in
thread)
  export TSAN_OPTIONS="suppressions=Scripts/tsan.supp exitcode=66"
  "$memlab" check
  # On the pool the children of this one's async let do meet; on one thread they cannot.
  racy="async-let-inout-race"
  "$memlab" check $(scenarios | grep -vxF "$racy") --scheduler pool
  # The races that are real must be reported, or else the silence above means nothing.
  reports "$memlab" check "$racy" --scheduler pool
  reports "$memlab" run struct-inout-race --threads free
  ;;
address)
  # Scenarios leak on purpose. Two tables are about an address that is used again, which only a
  # sanitizer without its quarantine allows; all others run with it.
  tables="strong-map-table weak-map-table"
  others=$(scenarios | grep -vxF "$(printf '%s\n' $tables)")
  export ASAN_OPTIONS="detect_leaks=0"
  "$memlab" check $others
  "$memlab" check $others --scheduler pool
  ASAN_OPTIONS="$ASAN_OPTIONS:quarantine_size_mb=0" "$memlab" check $tables
  ;;
esac
echo "$1: the catalog is clean"
