// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "our-lab",
  platforms: [.macOS(.v15)],
  products: [.executable(name: "our-lab", targets: ["OurLab"])],
  // In a project of your own: .package(url: "…/memlab", from: "…").
  dependencies: [.package(name: "memlab", path: "../../..")],
  targets: [
    .executableTarget(
      name: "OurLab", dependencies: [.product(name: "Memlab", package: "memlab")],
      plugins: [.plugin(name: "EmbedListings", package: "memlab")])
  ]
)
