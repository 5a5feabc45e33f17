import MemlabCLI
import MemlabKit
import MemlabReports
import Testing

@Suite("The lines that a step has run") struct RunningLineTests {
  private static let listing = Listing(
    "code", path: "Sources/A/Code.swift", line: 10,
    marked: """
      final class Sun {
        private let probe = Probe(Sun.self)
        deinit { note() }
      }

      final class Earth {
        private let probe = Probe(Earth.self)
        func turn() {
          Task(probe: "day") { Ledger.current?.note("it is noon") }
        }

        deinit {
          Ledger.current?.note("the end")
        }
      }
      """)

  @Test(
    "are those that what was measured proves",
    arguments: [
      ("it begins", ["+ Earth"], ["16"]), ("it begins", ["+ 3 Earth", "+ Sun"], ["16", "11"]),
      ("it ends", ["- Earth"], ["21"]), ("it ends", ["- Sun", "- 2 Earth"], ["12", "21"]),
      ("turn() is called", ["+ task day"], ["17", "18"]),
      ("turn() is called", ["+ task day", "- task day"], ["17", "18", "18 day"]),
      ("time passes", ["it is noon 12"], ["18"]), ("time passes", ["nothing changed"], []),
      ("turn is not called", ["+ Moon", "- Moon", "+ task night"], []),
    ])
  func lines(text: String, changes: [String], expected: [String]) {
    let step = StepRecord(index: 1, text: text, changes: changes)
    let lines = RunningLines([Self.listing]).lines(of: step)
    let found = lines.map { line in
      line.place.dropFirst("Code.swift:".count) + (line.ended.map { " \($0)" } ?? "")
    }
    #expect(found == expected[...].map { $0[...] })
  }
}
