#!/usr/bin/env bash
# Writes the documentation of LeakCheck as pages, with the DocC of the toolchain: where they go, and
# the path that a host shows them below. Says so where there is no DocC.
set -euo pipefail
output=$(realpath -m "$1")
cd "$(dirname "$0")/.."

toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
[ -x "$toolchain/bin/docc" ] || { echo "skipped: this toolchain has no docc"; exit 0; }

swift build --target LeakCheck
built=$(swift build --show-bin-path)
maps=()
for map in "$built"/C*.build/module.modulemap; do maps+=(-Xcc "-fmodule-map-file=$map"); done
mkdir -p "$(dirname "$output")"
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
swift symbolgraph-extract -module-name LeakCheck -I "$built/Modules" "${maps[@]}" \
  -I "$toolchain/lib/swift/linux/testing" -target "$(uname -m)-unknown-linux-gnu" \
  -minimum-access-level public -output-dir "$graphs"
"$toolchain/bin/docc" convert Sources/YourTests/LeakCheck/LeakCheck.docc \
  --additional-symbol-graph-dir "$graphs" --fallback-display-name LeakCheck \
  --fallback-bundle-identifier memlab.LeakCheck --output-path "$output" \
  --transform-for-static-hosting --hosting-base-path "${2:-/}" > /dev/null
echo "The documentation of LeakCheck is in $output/documentation/leakcheck."
