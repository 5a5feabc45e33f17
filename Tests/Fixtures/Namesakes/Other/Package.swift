// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Other",
  products: [.library(name: "LeakCheck", targets: ["LeakCheck"])],
  targets: [.target(name: "LeakCheck")]
)
