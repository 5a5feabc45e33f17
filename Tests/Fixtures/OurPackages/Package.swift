// swift-tools-version: 6.2

import PackageDescription

// Scenarios of code that is built on other people's packages.
let package = Package(
  name: "our-packages",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "our-packages", targets: ["OurPackages"])],
  dependencies: [
    .package(name: "memlab", path: "../../.."),
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "OurPackages",
      dependencies: [
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Memlab", package: "memlab"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ])
  ]
)
