// swift-tools-version: 6.2

import PackageDescription

// Two packages have a module LeakCheck: memlab's goes by another name here.
let package = Package(
  name: "Namesakes",
  dependencies: [
    .package(name: "memlab", path: "../../.."),
    .package(path: "Other"),
  ],
  targets: [
    .testTarget(
      name: "NamesakesTests",
      dependencies: [
        .product(name: "LeakCheck", package: "Other"),
        // snippet:alias
        .product(
          name: "LeakCheck", package: "memlab", moduleAliases: ["LeakCheck": "MemoryLeakCheck"]),
        // snippet:end
      ])
  ]
)
