// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Other",
  platforms: [.macOS(.v15)],
  products: [.library(name: "LeakCheck", targets: ["LeakCheck"])],
  targets: [.target(name: "LeakCheck")]
)
