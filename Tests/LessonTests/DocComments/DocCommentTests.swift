import TestSupport
import Testing

@Suite("Comments on what is not private") struct DocCommentTests {
  /// The rooms that are written in Swift.
  static let rooms = Set(
    CourseText.sources.map { $0.split(separator: "/")[1...2].joined(separator: "/") }
  ).sorted()

  // The code that learners read has no line more than they need.
  private static let allowance = ["Course/Exercises": 3]

  // What protocols of the standard library ask for.
  private static let ofTheLibrary: Set = ["description", "hash", "encode", "enqueue"]

  private static let declarations = CourseText.sources.map { path in
    (path, (try? Repository.text(path)).map(Declarations.init(source:)))
  }
  // Of protocols that a room has, or one that it imports.
  private static let requirements = declarations.reduce(into: ofTheLibrary) {
    $0.formUnion($1.1?.requirements ?? [])
  }

  @Test("a room says what its declarations are for", arguments: rooms)
  func all(room: String) throws {
    let bare = try Self.declarations.filter { $0.0.hasPrefix("Sources/\(room)/") }
      .flatMap { path, declarations in
        try #require(declarations, "\(path) cannot be read").bareNames
          .filter { !Self.requirements.contains($0.name) }.map { "\(path):\($0.line)" }
      }
    #expect(
      bare.count <= Self.allowance[room] ?? 0,
      "These have no comment:\n\(bare.joined(separator: "\n"))")
  }

  @Test("what protocols ask for is known by name, where it has a comment") func requirements() {
    let declarations = Declarations(
      source: """
        /// What can run.
        protocol Runnable {
          /// Runs it.
          func run(_ count: Int)
          var bare: Int { get }
        }
        struct A: Runnable { func run(_ count: Int) {} }
        struct B: Runnable {
          func run(_ count: Int) {}
          let bare = 1
        }
        """)
    #expect(declarations.requirements == ["run"])
    #expect(declarations.bareNames.map(\.name) == ["bare", "A", "B", "run", "bare"])
  }

  @Test("declarations are counted, and what is private or in a function is not") func counts() {
    let declarations = Declarations(
      source: """
        /// A type.
        public struct A {
          let bare = "{"
          /// One.
          @discardableResult
          public static func one() -> Int {
            let local = 1
            func inner() {}
            return local
          }
          private var hidden = 0
          private(set) var shown = 0
          private struct B { let c = 0 }
          deinit { print("}") }
          enum E {
            case first
            /// The second.
            case second
          }
        }
        private enum Hidden { static let value = 0 }
        extension A {
          // snippet:code
          func copied() {}
          // snippet:end
          override func seen() {}
          // Not a comment of this kind.
          init(_ text: String) { switch text { case "": break; default: break } }
        }
        """)
    #expect(declarations.documented == 3)
    #expect(declarations.bare == [3, 12, 15, 16, 28])
  }
}
