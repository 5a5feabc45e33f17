#!/usr/bin/env bash
# Writes the documentation of LeakCheck as pages, with the DocC of the toolchain: where they go, and
# the path that a host shows them below. Says so where there is no DocC.
set -euo pipefail
output=$(realpath -m "$1")
cd "$(dirname "$0")/.."

docc=$(dirname "$(readlink -f "$(command -v swift)")")/docc
[ -x "$docc" ] || { echo "skipped: this toolchain has no docc"; exit 0; }

graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
swift build --target LeakCheck -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir \
  -Xswiftc "$graphs" --scratch-path .build/docs
# Only what is said of LeakCheck itself.
find "$graphs" -name '*.symbols.json' ! -name 'LeakCheck*' -delete
"$docc" convert Sources/LeakCheck/LeakCheck.docc --additional-symbol-graph-dir "$graphs" \
  --fallback-display-name LeakCheck --fallback-bundle-identifier memlab.LeakCheck \
  --output-path "$output" --transform-for-static-hosting --hosting-base-path "${2:-/}"
