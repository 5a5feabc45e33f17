// swift-tools-version: 6.2

import Foundation
import PackageDescription

// memlab's own rooms, built here beside other people's libraries: the rows of memlab's table that
// `Scenarios` and the tests reach, below links to its folders. A package of its own, so that memlab
// itself needs no other. SwiftPM keeps what it has read: `make peers` has it read the table again.
let table = try String(
  contentsOfFile: Context.packageDirectory + "/../../Package.swift", encoding: .utf8)

/// A line of the table: `Wing/Folder settings: folders of what it imports`.
struct Room {
  let path: String
  let settings: [String]
  let imports: [String]

  init?(_ line: Substring) {
    let parts = line.split(separator: ":", omittingEmptySubsequences: false)
    let words = parts[0].split(separator: " ").map(String.init)
    guard parts.count == 2, let path = words.first, path != "//" else { return nil }
    (self.path, settings) = (path, Array(words.dropFirst()))
    imports = parts[1].split(separator: " ").map(String.init)
  }

  var name: String { String(path.split(separator: "/").last ?? "") }

  /// A name that another package may have gets a prefix.
  static func module(_ name: String) -> String {
    ["Memlab", "CMemlab", "LeakCheck", "TestSupport"].contains(where: name.hasPrefix)
      ? name : "Memlab" + name
  }

  /// As a target of this package. Here the scenarios find a module `Combine`.
  var target: Target {
    func named(_ sign: String) -> [String] {
      settings.filter { $0.hasPrefix(sign) }.map { String($0.dropFirst()) }
    }
    return .target(
      name: Room.module(name),
      dependencies: (imports.map(Room.module) + (name == "Scenarios" ? ["Combine"] : []))
        .map { .init(stringLiteral: $0) },
      path: "Links/" + (name == "TestSupport" ? name : "Sources/" + path), exclude: named("-"),
      packageAccess: !settings.contains("outside"),
      swiftSettings: settings.contains("swift5") ? [.swiftLanguageMode(.v5)] : [],
      plugins: named("+").map { .plugin(name: $0) })
  }
}

let rows = table.split(separator: "\n").compactMap(Room.init)
let rooms = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
var reached: Set = ["CLI", "LeakCheck", "Scenarios", "TestSupport", "Witness"]
// Long enough: no chain of imports has more links.
for _ in 1...20 { reached.formUnion(reached.flatMap { rooms[$0]?.imports ?? [] }) }

let asyncAlgorithms = Target.Dependency.product(
  name: "AsyncAlgorithms", package: "swift-async-algorithms")
let openCombine = Target.Dependency.product(name: "OpenCombine", package: "OpenCombine")
let program: [Target.Dependency] = [
  "MemlabCLI", "MemlabKit", "MemlabScenarios", "MemlabTerminalText", "MemlabWitness",
]

let package = Package(
  name: "memlab-peers",
  platforms: [.macOS(.v15)],
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
    .target(name: "Combine", dependencies: [openCombine], swiftSettings: [.swiftLanguageMode(.v5)]),
    .plugin(name: "MemlabEmbed", capability: .buildTool(), path: "Links/Plugins/MemlabEmbed"),
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
