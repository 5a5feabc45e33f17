// swift-tools-version: 6.2

import PackageDescription

// A small server that grows: lesson 10. A package of its own, for memlab has no dependencies, and
// the server has none of memlab's.
let package = Package(
  name: "growing-server",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "GrowingServer",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
      ]),
    // Plays the transcripts of the lesson. The folders `Shared` and `TestSupport` are links to what
    // plays those of the other lessons.
    .testTarget(name: "GrowingServerTests", dependencies: ["GrowingServer", "TestSupport"]),
    .target(name: "TestSupport"),
  ],
  swiftLanguageModes: [.v6]
)
