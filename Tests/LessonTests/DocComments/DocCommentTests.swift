import TestSupport
import Testing

@Suite("Comments on what is not private")
struct DocCommentTests {
  /// The least share of declarations with a `///` comment, by room, in percent.
  static let floors: KeyValuePairs = [
    "ExerciseJudges": 95, "ExerciseSolutions": 95, "Exercises": 95, "HeapGraph": 95,
    "LeakCheck": 95,
    "LeakCheckAll": 95, "LeakCheckXCTest": 95, "Memlab": 95, "MemlabCLI": 95, "MemlabCourse": 95,
    "MemlabKit": 95, "MemlabProbe": 95, "MemlabReports": 95, "MemlabSite": 95, "MemlabWatch": 95,
    "Patterns": 95, "RuntimeABI": 95, "Scenarios": 95, "TerminalText": 95,
  ]

  // What protocols of the standard library ask for.
  private static let ofTheLibrary: Set = ["description", "hash", "encode", "enqueue"]

  @Test("a room says what its declarations are for", arguments: floors.map(\.key))
  func share(room: String) throws {
    let floor = try #require(Self.floors.first { $0.key == room }).value
    let files = CourseText.sources.filter { $0.hasPrefix("Sources/\(room)/") }
    let read = try files.map { ($0, Declarations(source: try CourseText.source($0))) }
    let requirements = read.reduce(into: Self.ofTheLibrary) { $0.formUnion($1.1.requirements) }
    let count = read.reduce(0) { $0 + $1.1.count }
    #expect(count > 0)
    let bare = read.flatMap { path, declarations in
      declarations.bareNames.filter { !requirements.contains($0.name) }
        .map { "\(path):\($0.line)" }
    }
    let documented = count - bare.count
    #expect(
      documented * 100 >= floor * count,
      "\(documented) of \(count) have a comment:\n\(bare.joined(separator: "\n"))")
  }

  @Test("what protocols ask for is known by name, where it has a comment")
  func requirements() {
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

  @Test("declarations are counted, and what is private or in a function is not")
  func counts() {
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
