import Testing

@Suite("Which mutants are tried") struct MutantTests {
  private static let all = mutants(
    in: """
      A comment.
      == the first
      in A.swift
      -  old
      +  new
      killed by swift test --filter ATests

      -- A heading.

      == the second
      in B.swift
      -old
      -older
      +new
      killed by memlab check
      """)

  /// Mutants 0 to 39, each in a file of its own.
  private static let many = (0..<40).map { number in
    var mutant = Mutant()
    (mutant.name, mutant.file) = ("mutant \(number)", "\(number).swift")
    return mutant
  }

  private static func chosen(_ words: String, _ changes: Changes?) throws -> [String] {
    let request = try Request(words.split(separator: " ").map(String.init))
    return choose(from: many, for: request, changes).map { String($0.name.dropFirst(7)) }
  }

  private static func changes(_ files: [String], hash: String = "00000000") -> Changes {
    var changes = Changes()
    (changes.hash, changes.files, changes.before) = (hash, Set(files), many)
    return changes
  }

  @Test("are read with their names, files, lines and killers") func reading() throws {
    let (first, second) = (try #require(Self.all.first), try #require(Self.all.last))
    #expect(Self.all.map(\.name) == ["the first", "the second"])
    #expect(first.file == "A.swift" && first.old == ["  old"] && first.new == ["  new"])
    #expect(second.old == ["old", "older"] && second.killer == "memlab check")
    #expect(try first.applied(to: "a\n  old\nb\n") == "a\n  new\nb\n")
    for text in ["a\n", "  old\n  old\n", "   old\n"] {
      #expect(throws: Complaint.self) { try first.applied(to: text) }
    }
  }

  @Test("all, those of a name, or each Nth: the parts together are all of them")
  func parts() throws {
    #expect(try Self.chosen("", nil).count == 40)
    #expect(try Self.chosen("nothing", nil).isEmpty)
    #expect(try Self.chosen("39", nil) == ["39"])
    let parts = try (1...3).map { try Self.chosen("--part \($0)/3", nil) }
    #expect(Set(parts.joined()).count == 40)
    #expect(parts.map(\.count) == [14, 13, 13])
  }

  @Test("those of the files that changed, and those that are new or were changed themselves")
  func touched() throws {
    var changes = Self.changes(["3.swift", "5.swift", "README.md"])
    #expect(try Self.chosen("--touched main", changes) == ["3", "5"])
    changes.before[8].killer = "another"
    changes.before.remove(at: 9)
    #expect(try Self.chosen("--touched main", changes) == ["3", "5", "8", "9"])
    #expect(try Self.chosen("--touched main", Self.changes([])) == [])
  }

  @Test("a dozen of the others beside them, in turns, which the commit's hash decides")
  func rotation() throws {
    let first = try Self.chosen("--touched main --rotate 12", Self.changes(["3.swift", "5.swift"]))
    #expect(first.prefix(4) == ["3", "0", "5", "1"])
    #expect(first.count == 14 && Set(first).count == 14)
    let same = Self.changes(["3.swift", "5.swift"])
    #expect(try Self.chosen("--touched main --rotate 12", same) == first)
    let hashes = (0..<40).map { String($0, radix: 16) }
      .map { String(repeating: "0", count: 8 - $0.count) + $0 + "ffff" }
    let dozens = try hashes.map {
      try Self.chosen("--touched main --rotate 12", Self.changes([], hash: $0))
    }
    #expect(dozens.allSatisfy { $0.count == 12 })
    #expect(Set(dozens).count == 40)
    #expect(Set(dozens.joined()).count == 40)
  }

  @Test(
    "an option that says nothing is an error, and no mutant is tried",
    arguments: [
      "--touched", "--rotate", "--rotate -1", "--rotate a", "--part 3", "--part 0/3", "--part 4/3",
      "--minutes", "--minutes soon", "--all",
    ])
  func errors(words: String) {
    #expect(throws: Complaint.self) { try Request(words.split(separator: " ").map(String.init)) }
  }
}
