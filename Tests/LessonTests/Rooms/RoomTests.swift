import Foundation
import TestSupport
import Testing

@Suite("The rooms, and what they import") struct RoomTests {
  private static let manifest = Manifest((try? Repository.text("Package.swift")) ?? "")
  private static let rooms = manifest.rooms
  private static let names = Set(rooms.map(\.name))
  /// From top to bottom: what somebody types and reads, down to what memory says.
  private static let wings = ["Program", "Course", "YourTests", "Running", "Lab", "Heap"]
  /// Rooms that any room may import.
  private static let common: Set = ["MemlabPlatform"]

  private static func room(_ name: String) throws -> Manifest.Room {
    try #require(rooms.first { $0.name == name })
  }

  @Test("a room imports what Package.swift says, and all of that", arguments: rooms.map(\.name))
  func imported(name: String) throws {
    let room = try Self.room(name)
    guard !room.isC else {
      #expect(try Self.headers(of: room).subtracting([name]).isSubset(of: room.imports))
      return
    }
    let files = CourseText.sources.filter { $0.hasPrefix("\(room.path)/") }
    let all = try files.reduce(into: Set<String>()) { names, file in
      names.formUnion(imports(of: try Repository.text(file)))
    }
    #expect(!files.isEmpty)
    #expect(all.intersection(Self.names) == room.imports)
  }

  /// The rooms whose headers a room of C includes.
  private static func headers(of room: Manifest.Room) throws -> Set<String> {
    let files = [".c", ".h"].flatMap { Repository.files(in: room.path, endingIn: $0) }
    let included = try files.flatMap { file in
      try Repository.text(file).matches(of: /#include ["<]([^">]+)[">]/).map(\.1)
    }
    let headers = Repository.files(in: "Sources", endingIn: ".h").filter { header in
      included.contains { header.hasSuffix("/include/\($0)") }
    }
    return Set(headers.map { String($0.split(separator: "/")[2]) })
  }

  @Test("imports point downwards in the table, whose wings are in order") func downwards() {
    for (place, room) in Self.rooms.enumerated() {
      let below = Set(Self.rooms[(place + 1)...].map(\.name))
      #expect(room.imports.isSubset(of: below), "\(room.name)")
    }
    let wings = Self.rooms.map(\.wing)
    let turns = wings.indices.filter { $0 == 0 || wings[$0] != wings[$0 - 1] }.map { wings[$0] }
    // The programs themselves stand above the course, all else of that wing below.
    #expect(turns == ["Program", "Course"] + Self.wings.filter { $0 != "Course" })
    #expect(Self.rooms.prefix { $0.wing == "Program" }.allSatisfy { $0.name.hasSuffix("Main") })
  }

  @Test("every folder of Sources is a wing, and every folder of a wing a room")
  func folders() throws {
    let (files, sources) = (FileManager.default, Repository.url("Sources"))
    #expect(try Set(files.contentsOfDirectory(atPath: sources.path)) == Set(Self.wings))
    let folders = try Self.wings.flatMap { wing in
      try files.contentsOfDirectory(atPath: sources.appending(path: wing).path)
        .map { "Sources/\(wing)/\($0)" }
    }
    // In the portable configuration, it takes the place of HeapReader.
    #expect(Set(folders) == Set(Self.rooms.map(\.path) + ["Sources/Heap/HeapUnread"]))
  }

  @Test("what a product reaches has a name that no module of another package has")
  func prefixes() throws {
    #expect(Self.manifest.products.count >= 7)
    var reached = Set(Self.manifest.products)
    for _ in Self.rooms {
      for name in reached where !Self.manifest.plugins.contains(name) {
        reached.formUnion(try Self.room(name).imports)
      }
    }
    #expect(!Self.manifest.plugins.isEmpty)
    for name in reached.union(Self.manifest.plugins) {
      #expect(["Memlab", "CMemlab", "LeakCheck"].contains { name.hasPrefix($0) }, "\(name)")
    }
  }

  // A name of C is one for a whole program, hidden or not, when it is linked.
  @Test(
    "what C rooms define has a name that no other C code has", .enabled(if: linkedSymbols != nil))
  func symbols() throws {
    let replaced =
      #/_Z(da|dl|na|nw).*|[a-z_]*alloc(array)?|malloc_usable_size|free|memalign|posix_memalign/#
    let mapping = #/mmap(64)?|munmap/#
    let ofOthers = #/clock_gettime|concurrencyEnableTaskSlabAllocator|\$s7Testing4TestV.*/#
    let own = #/_?(memlab|leak_check|heap_recorder)_.*/#
    let symbols = try #require(linkedSymbols)
    #expect(symbols.count > 30)
    for symbol in symbols {
      let isKnown =
        symbol.wholeMatch(of: own) != nil || symbol.wholeMatch(of: ofOthers) != nil
        || symbol.wholeMatch(of: replaced) != nil || symbol.wholeMatch(of: mapping) != nil
      #expect(isKnown, "\(symbol)")
    }
  }

  @Test("what is linked into other programs does not trust a setuid program's environment")
  func environment() throws {
    for wing in ["Heap", "Running", "YourTests"] {
      for file in Repository.files(in: "Sources/\(wing)", endingIn: ".c") {
        let calls = try Repository.text(file).matches(of: /\bgetenv\(/).count
        #expect(calls == (file.hasSuffix("/process.c") ? 1 : 0), "\(file)")
      }
    }
  }

  @Test("what a workflow uses is named by its hash") func hashes() throws {
    let uses = try Repository.files(in: ".github", endingIn: ".yml").flatMap {
      try Repository.text($0).matches(of: /uses: (\S+)/).map { String($0.1) }
    }
    #expect(uses.count > 10)
    for name in uses { #expect(name.contains(#/@[0-9a-f]{40}$/#), "\(name)") }
  }

  @Test("CONTRIBUTING says the same of each room") func table() throws {
    let text = try Repository.text("CONTRIBUTING.md")
    for room in Self.rooms {
      let row = text.components(separatedBy: "\n").first { $0.hasPrefix("| `\(room.name)` |") }
      let cells = try #require(row, "no row of \(room.name)").components(separatedBy: " | ")
      let words = cells.last?.split { !$0.isLetter && !$0.isNumber }.map(String.init) ?? []
      let said = Set(words).intersection(Self.names)
      #expect(said == room.imports.subtracting(Self.common), "\(room.name)")
    }
  }

  @Test("CONTRIBUTING and README say what each wing is, in the same sentence", arguments: wings)
  func sentence(wing: String) throws {
    let rows = try ["CONTRIBUTING.md", "README.md"].map { file in
      try Repository.text(file).components(separatedBy: "\n")
        .filter { $0.hasPrefix("- `\(wing)`, ") }
    }
    #expect(rows[0].count == 1)
    #expect(rows[0] == rows[1])
  }

  @Test("Tests/Peers builds rooms of this table, below links to their folders")
  func peers() throws {
    for (link, folder) in ["Sources": "Sources", "TestSupport": "Tests/TestSupport"] {
      let goal = Repository.url("Tests/Peers/Links/\(link)").resolvingSymlinksInPath()
      #expect(goal.path == Repository.url(folder).resolvingSymlinksInPath().path)
    }
    let text = try Repository.text("Tests/Peers/Package.swift")
    let named = Set(text.matches(of: /"((?:Memlab|LeakCheck)\w*)"/).map { String($0.1) })
    #expect(!named.isEmpty)
    #expect(named.subtracting(Self.manifest.plugins).isSubset(of: Self.names))
  }

  @Test("a table is read with settings and comments") func reading() throws {
    let manifest = Manifest(
      #"""
      let rooms = """
        // A comment: of the top.
        Top/A program: B CMemlabC
        Top/B swift5 -E +F: CMemlabC D
        Low/CMemlabC:
        """
      let tests = """
        D/D: A
        """
      products: [.library(name: "A", targets: ["MemlabA", "CMemlabC"])],
      targets: rooms + [.plugin(name: "F", capability: .buildTool())],
      """#)
    #expect(manifest.rooms.map(\.name) == ["MemlabA", "MemlabB", "CMemlabC"])
    #expect(manifest.rooms[0].imports == ["MemlabB", "CMemlabC"])
    #expect(manifest.rooms[1].imports == ["CMemlabC", "MemlabD"])
    #expect(manifest.rooms[2].imports == [])
    let paths = ["Sources/Top/A", "Sources/Top/B", "Sources/Low/CMemlabC"]
    #expect(manifest.rooms.map(\.path) == paths)
    #expect(manifest.products == ["MemlabA", "CMemlabC"])
    #expect(manifest.plugins == ["F"])
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

  @Test("Tests/README names each trait that skips a test, and no other") func skips() throws {
    let sources = try Repository.files(in: "Tests", endingIn: ".swift").map(Repository.text)
    let declared = sources.flatMap { source in
      source.matches(of: /static var (needs\w+): Self/).map { String($0.1) }
    }
    let table = try Repository.text("Tests/README.md")
    let named = table.matches(of: /`\.(needs\w+)`/).map { String($0.1) }
    #expect(!declared.isEmpty)
    #expect(Set(named) == Set(declared))
  }
}

/// What the C rooms define for others; nil where nothing can list it.
private let linkedSymbols: [String]? = {
  guard
    let nm = ["/usr/bin/nm", "/usr/bin/llvm-nm"].first(where: FileManager.default.isExecutableFile)
  else { return nil }
  let root = MemlabBinary.folder
  let objects = Repository.files(in: ".", endingIn: ".o", root: root)
    .filter { $0.hasPrefix("./CMemlab") }.map { root.appending(path: $0).path }
  let run = try? Program(URL(filePath: nm)).run(["-g", "-P", "--defined-only"] + objects)
  // NAME TYPE ADDRESS SIZE
  return run?.stdout.split(separator: "\n").map { $0.split(separator: " ") }
    .filter { $0.count > 2 }.map { String($0[0]) }
}()
