// swift-tools-version: 6.3

import Foundation
import PackageDescription

// memlab's own rooms, built here beside other people's libraries: the rows of memlab's table that
// `Scenarios` and the tests reach, below links to its folders. A package of its own, so that memlab
// itself needs no other. SwiftPM keeps what it has read: `make peers` has it read the table again.
let table = try String(
  contentsOfFile: Context.packageDirectory + "/../../Package.swift", encoding: .utf8)

/// A row of the table: `Room("Wing", "Folder", "imports …").settings`, or `Room(test: "Folder", …)`.
struct Room {
  let folder: String
  let path: String
  let imports: [String]
  let settings: Substring

  init(_ row: Substring) {
    let head = row.prefix { $0 != ")" }
    let words = head.matches(of: #/"([^"]*)"/#).map { String($0.1) }
    let isTest = row.hasPrefix("test:")
    (folder, path) = isTest ? (words[0], words[0]) : (words[1], "Sources/\(words[0])/\(words[1])")
    imports = words.dropFirst(isTest ? 1 : 2).joined().split(separator: " ").map(String.init)
    settings = row[head.endIndex...]
  }

  /// A name that another package may have gets a prefix.
  static func module(_ folder: String) -> String {
    ["Memlab", "CMemlab", "LeakCheck", "TestSupport"].contains(where: folder.hasPrefix)
      ? folder : "Memlab" + folder
  }

  /// As a target of this package. Here the scenarios find a module `Combine`.
  var target: Target {
    let plugin = settings.firstMatch(of: #/\.using\("(\w+)"\)/#).map { String($0.1) }
    return .target(
      name: Room.module(folder),
      dependencies: (imports.map(Room.module) + (folder == "Scenarios" ? ["Combine"] : []))
        .map { .init(stringLiteral: $0) },
      path: "Links/" + path,
      exclude: settings.matches(of: #/\.excluding\("(\w+)"\)/#).map { String($0.1) },
      packageAccess: !settings.contains(".fromOutside"),
      swiftSettings: settings.contains(".inSwift5") ? [.swiftLanguageMode(.v5)] : [],
      plugins: plugin.map { [.plugin(name: $0)] })
  }
}

let rows = table.split(separator: #/\n *Room\(\s*/#).dropFirst().map(Room.init)
let rooms = Dictionary(rows.map { ($0.folder, $0) }) { first, _ in first }
var reached: Set = ["CLI", "LeakCheck", "Scenarios", "TestSupport"]
// Long enough, as no chain of imports is longer than the table.
for _ in rows { reached.formUnion(reached.flatMap { rooms[$0]?.imports ?? [] }) }

let asyncAlgorithms = Target.Dependency.product(
  name: "AsyncAlgorithms", package: "swift-async-algorithms")
let openCombine = Target.Dependency.product(name: "OpenCombine", package: "OpenCombine")
let program: [Target.Dependency] = [
  "MemlabCLI", "MemlabKit", "MemlabScenarios", "MemlabTerminalText",
]

let package = Package(
  name: "memlab-peers",
  dependencies: [
    .package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
  ],
  targets: [
    .executableTarget(name: "OverOpenCombine", dependencies: program),
    .executableTarget(
      name: "BesideAsyncAlgorithms", dependencies: program + ["MemlabPatterns", asyncAlgorithms]),
    .executableTarget(
      name: "DeliveryBench", dependencies: ["MemlabPatterns", asyncAlgorithms, openCombine]),
    .testTarget(
      name: "PeersTests",
      dependencies: program + [
        "BesideAsyncAlgorithms", "DeliveryBench", "OverOpenCombine", "TestSupport", openCombine,
      ]),
    .testTarget(name: "OperatorLeakTests", dependencies: ["LeakCheck", asyncAlgorithms]),
    // The tests of the small Combine in `Patterns`, on OpenCombine.
    .testTarget(
      name: "PatternsTests", dependencies: ["Combine"],
      sources: ["CombineDeliveryTests.swift", "CombineLifetimeTests.swift"],
      swiftSettings: [.define("OVER_OPENCOMBINE")]),
    // Named Combine, so that the scenarios take their branch `canImport(Combine)`.
    .target(
      name: "Combine", dependencies: [openCombine], swiftSettings: [.swiftLanguageMode(.v5)]),
    .plugin(name: "EmbedListings", capability: .buildTool()),
  ] + reached.sorted().compactMap { rooms[$0]?.target },
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .plugin {
  // As in memlab's own manifest, which says where each is from.
  let features = ["InternalImportsByDefault", "MemberImportVisibility"]
  // The documents write `DataCacheRepo` where this feature wants `any DataCacheRepo`.
  let more = target.name == "MemlabScenarios" ? [] : ["ExistentialAny"]
  target.swiftSettings =
    (target.swiftSettings ?? []) + (features + more).map { .enableUpcomingFeature($0) }
}
