#!/usr/bin/env bash
# Reads a million linked objects with memlab and has LeakSanitizer check them, side by side: medians of
# pairs of processes, first call in each. Fails when memlab takes more than 0.8 times as much of a
# processor in the middle pair, or more than 48 bytes of memory for an object.
#
# Processor time, because other work on the machine makes both wait, and not equally long. And pairs,
# because it also makes both slower, and for a while: the two of a pair run one after the other.
# memlab needs about 0.66 times as much, and says who holds the object. The list of blocks, retained for each
# of them, once made that 0.86, and a limit of 1.8 did not notice.
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=21

swift build -c release --target MemlabHeapReader
built=$(swift build -c release --show-bin-path)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# Of each room its objects; the build folder may still have those of files that were removed.
objects=()
for room in HeapReader HeapScan HeapModel RuntimeABI Platform; do
  while read -r name; do objects+=("$built/Memlab$room.build/$name.o"); done < <(
    find "Sources/Heap/$room" -name '*.swift' ! -path '*/Portable/*' -printf '%f\n')
done
flags=()
for room in CMemlabRecorder CMemlabProcess; do
  flags+=(-Xcc -fmodule-map-file="$built/$room.build/module.modulemap")
  flags+=(-Xcc -ISources/Heap/$room/include)
  while read -r name; do objects+=("$built/$room.build/$name.o"); done < <(
    find "Sources/Heap/$room" -name '*.c' -printf '%f\n')
done
# The package is named after the folder, as an identifier.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9_]/_/g')
swiftc -O -package-name "$package" -I "$built/Modules" "${flags[@]}" \
  Tests/OtherTools/Million.swift "${objects[@]}" -o "$folder/memlab"
swiftc -O -D SANITIZED -sanitize=address Tests/OtherTools/Million.swift -o "$folder/sanitized" 2>&1 |
  { grep -v 'Cannot export local symbol' || true; }

for _ in $(seq $pairs); do
  "$folder/memlab" look >>"$folder/memlab.txt"
  "$folder/sanitized" look >>"$folder/sanitized.txt"
  "$folder/memlab" >>"$folder/alone.txt"
done

# The median of a column of standard input.
median() { sort -n | sed -n "$((pairs / 2 + 1))p"; }

# Of each: processor time, time on the clock, and the most memory.
column() { cut -d ' ' -f "$2" "$folder/$1.txt" | median; }

ratio=$(paste -d ' ' "$folder/memlab.txt" "$folder/sanitized.txt" | awk '{ print $1 / $4 }' | median)
awk -v memlab="$(column memlab 1)" -v other="$(column sanitized 1)" -v ratio="$ratio" \
  -v peak="$(column memlab 3)" -v alone="$(column alone 3)" 'BEGIN {
    bytes = (peak - alone) * 1024 / 1e6
    printf "a million linked objects, processor time, the median of '$pairs' processes\n"
    printf "  LeakSanitizer, its check           %5.1f ms\n", other * 1000
    printf "  memlab, a snapshot and a path      %5.1f ms\n", memlab * 1000
    printf "  memlab over LeakSanitizer, a pair  %5.2f\n", ratio
    printf "  memlab, memory for each object     %5.1f bytes\n", bytes
    exit !(ratio <= 0.8 && bytes <= 48)
  }'
