// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "NewsReader",
  platforms: [.macOS(.v15)],
  // In a project of your own: .package(url: "…/memlab", from: "…").
  dependencies: [.package(name: "memlab", path: "../../..")],
  targets: [
    .target(name: "NewsReader"),
    .testTarget(
      name: "NewsReaderTests",
      dependencies: [
        "NewsReader",
        .product(name: "LeakCheck", package: "memlab"),
        .product(name: "LeakCheckXCTest", package: "memlab"),
      ]),
  ]
)
