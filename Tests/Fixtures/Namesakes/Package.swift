// swift-tools-version: 6.2

import PackageDescription

// SwiftPM looks for what it is to rename in the package of this name, which is that of its folder.
let memlab =
  Context.packageDirectory.split(separator: "/").dropLast(3).last.map(String.init) ?? "memlab"

// Two packages have a module LeakCheck: memlab's goes by another name here.
let package = Package(
  name: "Namesakes",
  dependencies: [
    .package(path: "../../.."),
    .package(path: "Other"),
  ],
  targets: [
    .testTarget(
      name: "NamesakesTests",
      dependencies: [
        .product(name: "LeakCheck", package: "Other"),
        .product(
          name: "LeakCheck", package: memlab, moduleAliases: ["LeakCheck": "MemoryLeakCheck"]),
      ])
  ]
)
