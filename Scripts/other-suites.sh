#!/usr/bin/env bash
# Runs the test suites of other people's packages under LEAKCHECK=all, unchanged but for their
# manifests, and writes a summary of each as JSON. Fetches the packages.
#
#     Scripts/other-suites.sh FOLDER [OWNER/NAME VERSION]…
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?"name a folder for the packages, such as .build/other-suites"}
shift
[ $# -gt 0 ] || set -- apple/swift-async-algorithms 1.1.4 swift-server/swift-service-lifecycle 2.13.0 \
  hummingbird-project/hummingbird 2.28.1
mkdir -p "$folder"
# Tests run in the folders of their packages.
folder=$(cd "$folder" && pwd)

while [ $# -gt 0 ]; do
  name=${1##*/} version=$2 package=$folder/${1##*/}
  if [ ! -d "$package" ]; then
    git clone --quiet --branch "$version" --depth 1 "https://github.com/$1" "$package"
    cat >> "$package/Package.swift" <<MANIFEST

package.dependencies.append(.package(name: "memlab", path: "$root"))
for target in package.targets where target.type == .test {
  target.dependencies.append(.product(name: "LeakCheckAll", package: "memlab"))
}
MANIFEST
  fi
  swift build --package-path "$package" --build-tests
  for run in 1 2; do
    LEAKCHECK=all LEAKCHECK_FORMAT=json LEAKCHECK_OUTPUT="$folder/$name-$run.json" \
      swift test --package-path "$package" --skip-build > "$folder/$name-$run.log" 2>&1 ||
      echo "$name, run $run: some tests failed; see $folder/$name-$run.log"
  done
  shift 2
done
