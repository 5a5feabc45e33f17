#!/usr/bin/env bash
# Reads a million linked objects with memlab and has LeakSanitizer check them, side by side: the
# medians of pairs of processes, first call in each. Fails when memlab takes longer, or more than 64
# bytes of memory for an object. Wants a quiet machine.
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=21

swift build -c release --product memlab
built=$(swift build -c release --show-bin-path)
recorder=$built/CHeapRecorder.build
process=$built/CProcessAccess.build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Beside the objects of today's files may lie those of files that are no more.
objects=$(for room in HeapGraph MemlabPlatform RuntimeABI; do
  find "Sources/$room" -name '*.swift' ! -path '*/Portable/*' -printf "$built/$room.build/%f.o\n"
done)
swiftc -O -package-name "$(basename "$PWD" | tr A-Z a-z)" -I "$built/Modules" -Xcc -fmodule-map-file="$recorder/module.modulemap" \
  -Xcc -fmodule-map-file="$process/module.modulemap" -Xcc -ISources/CProcessAccess/include \
  Tests/OtherTools/Million.swift $objects "$recorder"/*.o "$process"/*.o -o "$folder/memlab"
swiftc -O -D SANITIZED -sanitize=address Tests/OtherTools/Million.swift -o "$folder/sanitized" 2>&1 |
  { grep -v 'Cannot export local symbol' || true; }

for _ in $(seq $pairs); do
  "$folder/memlab" look >>"$folder/memlab.txt"
  "$folder/sanitized" look >>"$folder/sanitized.txt"
  "$folder/memlab" >>"$folder/alone.txt"
done

median() { sort -n "$folder/$1.txt" | sed -n "$((pairs / 2 + 1))p" | cut -d ' ' -f "$2"; }

awk -v memlab="$(median memlab 1)" -v other="$(median sanitized 1)" \
  -v peak="$(median memlab 2)" -v alone="$(median alone 2)" 'BEGIN {
    bytes = (peak - alone) * 1024 / 1e6
    printf "a million linked objects, the median of '$pairs' processes\n"
    printf "  LeakSanitizer, its check           %5.1f ms\n", other * 1000
    printf "  memlab, a snapshot and a path      %5.1f ms\n", memlab * 1000
    printf "  memlab, memory for each object     %5.1f bytes\n", bytes
    exit !(memlab < other && bytes <= 64)
  }'
