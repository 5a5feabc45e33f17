#!/usr/bin/env bash
# Tries what Documentation says of 'swift package leaks' and 'git bisect': in a package of 64 commits of
# which one brings a leak, and another one does not compile, the recipe has to name the first.
#
#   Scripts/bisect-recipe.sh [NUMBER]     the commit that brings the leak, 41 unless another is named
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
planted=${1:-41}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
git init --quiet
git config user.name nobody
git config user.email nobody@example.org
mkdir -p Sources/App Tests/AppTests
echo .build > .gitignore
cat > Package.swift << END
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "App", platforms: [.macOS(.v15)], dependencies: [.package(name: "memlab", path: "$root")],
  targets: [
    .target(name: "App"),
    .testTarget(
      name: "AppTests", dependencies: ["App", .product(name: "LeakCheckAll", package: "memlab")]),
  ])
END
cat > Tests/AppTests/AppTests.swift << 'END'
import App
import Testing
import XCTest
@Test func starts() { Model().start() }
final class OldTests: XCTestCase { func testStarts() { Model().start() } }
END
for number in $(seq 64); do
  capture=$([ "$number" -lt "$planted" ] && echo '[weak self] in self?' || echo 'self')
  fault=$([ "$number" = 33 ] && echo 'let broken: Int = ""' || true)
  cat > Sources/App/Model.swift << END
public final class Model {
  var onChange: (() -> Void)?
  public init() {}
  public func start() { onChange = { $capture.changed() } }
  func changed() { print($number) }
}
$fault
END
  git add --all
  git commit --quiet --message "commit $number"
done

leaks() { swift package --disable-sandbox leaks "$@"; }
if leaks > found.txt 2>&1; then echo "No leak is found in the last commit."; cat found.txt; exit 1; fi
fingerprint=$(sed -nE 's/^ *fingerprint ([0-9a-f]{12})$/\1/p' found.txt | head -1)
[ -n "$fingerprint" ] || { cat found.txt; exit 1; }
# What is known does not fail.
leaks --baseline "$folder/known.txt" --record > recorded.txt 2>&1 || { cat recorded.txt; exit 1; }
grep -q "^$fingerprint Model is still alive, in " known.txt || { cat known.txt; exit 1; }
leaks --baseline "$folder/known.txt" > known-run.txt 2>&1 || { cat known-run.txt; exit 1; }

git bisect start HEAD HEAD~63 > /dev/null 2>&1
git bisect run sh -c "swift build --build-tests > /dev/null 2>&1 || exit 125
  swift package --disable-sandbox leaks --fingerprint $fingerprint > /dev/null 2>&1" > bisect.txt 2>&1 ||
  { tail -20 bisect.txt; exit 1; }
name=$(git show --no-patch --format=%s refs/bisect/bad)
echo "The leak $fingerprint is of $name."
[ "$name" = "commit $planted" ]
