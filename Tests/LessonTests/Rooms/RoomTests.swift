import Foundation
import TestSupport
import Testing

@Suite("The rooms, and what they import")
struct RoomTests {
  private static let root = read("Package.swift")
  private static let peers = read("Tests/Peers/Package.swift")
  private static let rooms = root.targets.values
    .filter { $0.kind != "plugin" && $0.folder.hasPrefix("Sources/") }
    .sorted { $0.name < $1.name }

  /// Rooms that any room may import.
  private static let common: Set = ["MemlabPlatform"]
  /// What the scenarios import beside other people's libraries: see Tests/Peers/README.md.
  private static let stand = "Combine"

  private static func read(_ path: String) -> Manifest {
    Manifest((try? CourseText.source(path)) ?? "")
  }

  @Test("a room imports what Package.swift says, and all of that", arguments: rooms.map(\.name))
  func imported(name: String) throws {
    let room = try #require(Self.root.targets[name])
    let files = CourseText.sources.filter { $0.hasPrefix("\(room.folder)/") }
    // Rooms of C include headers.
    guard !files.isEmpty, !name.hasPrefix("C") else { return }
    let all = try files.reduce(into: Set<String>()) { names, file in
      names.formUnion(imports(of: try CourseText.source(file)))
    }
    let own = all.intersection(Self.root.targets.keys)
    #expect(own == room.dependencies)
  }

  @Test("CONTRIBUTING says the same of each room")
  func table() throws {
    let text = try CourseText.source("CONTRIBUTING.md")
    for room in Self.rooms {
      let name = String(room.folder.dropFirst("Sources/".count))
      let row = text.components(separatedBy: "\n").first { $0.hasPrefix("| `\(name)` |") }
      let cells = try #require(row, "no row of \(name)").components(separatedBy: " | ")
      let words = cells.last?.split { !$0.isLetter && !$0.isNumber }.map(String.init) ?? []
      let said = Set(words).intersection(Self.root.targets.keys)
      if !Self.common.contains(name) {
        #expect(said == room.dependencies.subtracting(Self.common), "\(name)")
      }
    }
  }

  @Test("Tests/Peers has a link for each room that it builds, and the same dependencies")
  func links() throws {
    let sources = Repository.url("Tests/Peers/Sources")
    let here = Self.peers.targets.values.filter { $0.kind != "plugin" && $0.kind != "testTarget" }
    for target in here {
      let link = sources.appending(path: target.name).path
      // A link whose room has gone does not exist either.
      #expect(FileManager.default.fileExists(atPath: link), "no link Tests/Peers/\(target.folder)")
      guard let room = Self.root.targets[target.name] else { continue }
      let goal = URL(filePath: link).resolvingSymlinksInPath().path
      #expect(goal == Repository.url(room.folder).resolvingSymlinksInPath().path)
      #expect(target.dependencies.subtracting([Self.stand]) == room.dependencies, "\(target.name)")
      #expect(Set(target.dependencies).isSubset(of: Self.peers.targets.keys), "\(target.name)")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(Set(names) == Set(here.map(\.name)))
  }

  @Test("a manifest is read with conditions, products, paths and comments")
  func reading() {
    let manifest = Manifest(
      """
      products: [.library(name: "A", targets: ["A"])],
      targets: [
        .target(name: "A"),
        // .target(name: "Gone"),
        .target(
          name: "B",
          dependencies: isPortable
            ? [] : ["A", .product(name: "C", package: "c"), "D"],
          path: "Elsewhere/B", exclude: ["E"]),
        .testTarget(name: "F", dependencies: ["A"]),
        .plugin(name: "G", capability: .buildTool()),
      ]
      """)
    #expect(manifest.targets.keys.sorted() == ["A", "B", "F", "G"])
    #expect(manifest.targets["A"]?.dependencies == [])
    #expect(manifest.targets["B"]?.dependencies == ["A", "D"])
    #expect(manifest.targets["B"]?.folder == "Elsewhere/B")
    #expect(manifest.targets["F"]?.folder == "Tests/F")
    #expect(manifest.targets["G"]?.kind == "plugin")
  }

  @Test("imports are found with their attributes and in conditions, and not in prose")
  func importing() {
    let code = """
      import A
      @preconcurrency public import B
        package import struct C.D
      // the import of E
      /// import F
      let text = "an import G"
      """
    #expect(imports(of: code) == ["A", "B", "C"])
  }
}
