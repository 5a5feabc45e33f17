// swift-tools-version: 6.2

import PackageDescription

// A program that links the product MemlabAgent, as somebody builds it who has never seen memlab's
// sources: two lines of the manifest, and nothing in the program.
let package = Package(
  name: "linked-program",
  platforms: [.macOS(.v15)],
  // snippet:lines
  // In a project of your own: .package(url: "…/memlab", from: "…").
  dependencies: [.package(name: "memlab", path: "../../..")],
  targets: [
    .executableTarget(
      name: "LinkedProgram",
      dependencies: [
        .product(
          name: "MemlabAgent", package: "memlab", condition: .when(platforms: [.linux]))
      ])
  ]
  // snippet:end
)
