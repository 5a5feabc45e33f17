// swift-tools-version: 6.2

import PackageDescription

// SwiftPM looks for what it is to rename in the package of this name, which is that of its folder.
let memlab =
  Context.packageDirectory.split(separator: "/").dropLast(3).last.map(String.init) ?? "memlab"

// Modules of this package: memlab has rooms of these names, or had.
let own = [
  "Exercises", "HeapGraph", "Patterns", "RuntimeABI", "Scenarios", "TerminalText", "TestSupport",
]

// Two packages have a module LeakCheck: memlab's goes by another name here.
let package = Package(
  name: "Namesakes",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(path: "../../.."),
    .package(path: "Other"),
  ],
  targets: own.map { .target(name: $0) } + [
    .testTarget(
      name: "NamesakesTests",
      dependencies: own.map { .target(name: $0) } + [
        .product(name: "LeakCheck", package: "Other"),
        .product(
          name: "LeakCheck", package: memlab, moduleAliases: ["LeakCheck": "MemoryLeakCheck"]),
      ])
  ]
)
