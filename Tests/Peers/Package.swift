// swift-tools-version: 6.3

import PackageDescription

// The folders of `Sources` that are links are memlab's own sources, built here beside other
// people's libraries. A package of its own, so that memlab itself needs none.
let package = Package(
  name: "memlab-peers",
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .executableTarget(
      name: "OverOpenCombine",
      dependencies: ["MemlabCLI", "MemlabKit", "Scenarios", "MemlabTerminalText"]),
    .executableTarget(
      name: "BesideAsyncAlgorithms",
      dependencies: [
        "MemlabCLI", "MemlabKit", "Patterns", "Scenarios", "MemlabTerminalText",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    .executableTarget(
      name: "DeliveryBench",
      dependencies: [
        "Patterns",
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .testTarget(
      name: "PeersTests",
      dependencies: [
        "BesideAsyncAlgorithms", "DeliveryBench", "MemlabKit", "OverOpenCombine", "Scenarios",
        "TestSupport", .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .testTarget(
      name: "OperatorLeakTests",
      dependencies: [
        "LeakCheck", .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
      ]),
    // The tests of the small Combine in `Patterns`, on OpenCombine.
    .testTarget(
      name: "PatternsTests", dependencies: ["Combine"],
      sources: ["CombineDeliveryTests.swift", "CombineLifetimeTests.swift"],
      swiftSettings: [.define("OVER_OPENCOMBINE")]),

    // Named Combine, so that the scenarios take their branch `canImport(Combine)`.
    .target(
      name: "Combine", dependencies: [.product(name: "OpenCombine", package: "OpenCombine")],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    // From here on, memlab's own.
    .target(
      name: "Scenarios", dependencies: ["Combine", "MemlabKit", "MemlabPlatform", "Patterns"],
      packageAccess: false, swiftSettings: [.swiftLanguageMode(.v5)], plugins: ["EmbedListings"]),
    .plugin(name: "EmbedListings", capability: .buildTool()),
    .target(
      name: "MemlabCLI",
      dependencies: [
        "MemlabHeapReader", "MemlabKit", "MemlabPlatform", "MemlabReports", "MemlabSite",
        "MemlabWatch",
        "MemlabTerminalText",
      ]),
    .target(
      name: "MemlabWatch",
      dependencies: ["MemlabHeapReader", "MemlabPlatform", "MemlabReports", "MemlabTerminalText"]),
    .target(
      name: "MemlabSite",
      dependencies: [
        "MemlabHeapReader", "MemlabKit", "MemlabPlatform", "MemlabReports", "MemlabPageFiles",
        "MemlabTerminalText",
      ]),
    .target(
      name: "MemlabReports", dependencies: ["MemlabHeapReader", "MemlabKit", "MemlabTerminalText"]),
    .target(name: "MemlabTerminalText", dependencies: ["MemlabPlatform"]),
    .target(name: "MemlabPageFiles", exclude: ["Files"], plugins: ["EmbedFiles"]),
    .plugin(name: "EmbedFiles", capability: .buildTool()),
    .target(name: "MemlabPlatform"),
    .target(name: "Patterns"),
    .target(
      name: "MemlabKit",
      dependencies: [
        "MemlabHeapReader", "MemlabPlatform", "CChildProcess", "CCrashNote", "CMainQueue",
        "CVirtualClock",
      ]),
    .target(name: "CChildProcess"),
    .target(name: "CCrashNote"),
    .target(name: "CMainQueue"),
    .target(name: "CVirtualClock"),
    .target(
      name: "LeakCheck", dependencies: ["MemlabHeapReader", "MemlabPlatform", "CMemlabStart"]),
    .target(name: "CMemlabStart", dependencies: ["CMemlabRecorder"]),
    .target(
      name: "MemlabHeapReader",
      dependencies: ["MemlabPlatform", "CMemlabRecorder", "CMemlabProcess", "MemlabRuntimeABI"],
      exclude: ["Portable"]),
    .target(name: "MemlabRuntimeABI", dependencies: ["MemlabPlatform", "CMemlabProcess"]),
    .target(name: "CMemlabRecorder", dependencies: ["CMemlabProcess"]),
    .target(name: "CMemlabProcess"),
    .target(
      name: "TestSupport", dependencies: ["MemlabHeapReader", "MemlabKit", "MemlabRuntimeABI"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where ![.system, .binary, .plugin].contains(target.type) {
  var settings = target.swiftSettings ?? []
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
  settings.append(.enableUpcomingFeature("InternalImportsByDefault"))
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
  settings.append(.enableUpcomingFeature("MemberImportVisibility"))
  // The documents, and learners, write `DataCacheRepo` where this feature wants `any DataCacheRepo`.
  if target.name != "Scenarios" {
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    settings.append(.enableUpcomingFeature("ExistentialAny"))
  }
  target.swiftSettings = settings
}
