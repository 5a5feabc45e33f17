import Foundation
import MemlabCLI
import MemlabCourse
import MemlabExercises
import MemlabFull
import MemlabKit
import MemlabTerminalText
import Synchronization
import TestSupport
import Testing

@Suite("memlab exercise") final class ExerciseCommandTests {
  // What stands for the checkout, and the learner's file in it.
  private let root = Scratch.place()
  private var mine: URL {
    root.appending(path: "Sources/Course/Exercises/01-playlist/Playlist.swift")
  }

  /// Begins with one file, as shipped.
  init() throws {
    for path in ["01-playlist/Playlist.swift", "Shipped/Playlist.swift.txt"] {
      let file = root.appending(path: "Sources/Course/Exercises/\(path)")
      try Scratch.write("// as shipped\n", to: file)
    }
  }

  private static let list = Result { try MemlabBinary.run(["exercise"]) }

  @Test("lists what is solved, as measured now") func list() throws {
    let count = Exercises.all.count
    let shipped = try Self.list.get().exits(0).says("0 of \(count) solved.")
    // As JSON, 'ExerciseFormatTests' asks for it.
    guard Slow.isOn else { return }
    #expect(shipped == (try MemlabBinary.run(["exercise", "list"])))
    try MemlabBinary.run(["exercise", "list"], of: "SolvedExercises").says(
      "\(count) of \(count) solved.")
  }

  @Test("says all in a screen where it is watched", arguments: ["01", "09", "19"])
  func summary(number: String) throws {
    let run = try MemlabBinary.run(
      ["exercise", number], environment: ["MEMLAB_EXERCISE": "summary"])
    #expect(run.exitCode == 1)
    let lines = run.stdout.newlineSeparated
    #expect(lines.first?.hasPrefix("exercise \(number) · ") == true)
    #expect(lines.count <= 24, "\(run.stdout)")
    #expect(lines.contains { $0.hasPrefix("NOT SOLVED YET") })
  }

  @Test("walks through the learner's code, with the variables of the judge", .needsHeap)
  func walk() throws {
    let shipped = try MemlabBinary.run(["exercise", "walk", "01", "--ending", "kept"]).exits(1)
    for line in [
      "exercise 01 · ending kept                                            step 1 of 4",
      "  27    var playlist: Playlist?", "  Playlist ← + Song.playlist",
      "           ← + variable of the judge", "             - variable of the judge, released",
    ] { #expect(shipped.stdout.newlineSeparated.contains(line), "\(line)") }
    let ticker = try MemlabBinary.run(["exercise", "walk", "2", "--ending", "drop", "--all"])
    #expect(ticker.stdout.contains("in self.source.prices {  ◀ forwarder waits"))
    try MemlabBinary.run(["exercise", "walk", "01"], of: "SolvedExercises").exits(0)
      .says("Playlist - gone")
  }

  @Test(
    "refuses what it does not understand",
    arguments: [
      (["exercise", "99"], "The value '99' is invalid for '<exercise>'."),
      (["exercise", "hint"], "Missing expected argument '<number>' after 'hint'"),
      (["exercise", "01", "02"], "Unexpected argument '02'"),
      (["exercise", "reset", "x"], "The value 'x' is invalid for '<number>'."),
      (["exercise", "01", "--ending", "x"], "Choose one of: drop, kept, moved, namesakes."),
      (["exercise", "walk"], "Missing expected argument '<number>' after 'walk'"),
      (
        ["exercise", "walk", "01", "--ending", "x"], "Choose one of: drop, kept, moved, namesakes."
      ),
      (["exercise", "01", "--all"], "--all goes with 'exercise walk'."),
      (["walk", "exercise", "01"], "'exercise' is a command, and not a scenario."),
      (["exercise", "--ending", "drop"], "--ending goes with the number of an exercise"),
      (["exercise", "01", "--more"], "--more goes with 'exercise hint'."),
      (["exercise", "hint", "01", "--format", "json"], "--format goes with 'exercise list'"),
    ])
  func usage(words: [String], sentence: String) throws {
    try MemlabBinary.run(words).exits(64).saysNothing().complains(sentence)
  }

  @Test("takes a number without its zero", arguments: [[], ["hint"], ["solution"]])
  func shortNumber(action: [String]) throws {
    let long = try MemlabBinary.run(["exercise"] + action + ["01"])
    #expect(try MemlabBinary.run(["exercise"] + action + ["1"]) == long)
    #expect(long.stdout != "")
    try MemlabBinary.run(["exercise"] + action + ["0"]).exits(64)
      .complains("The value '0' is invalid for")
  }

  @Test("names the file of each exercise in the list, in 80 columns") func files() throws {
    let lines = try Self.list.get().stdout.newlineSeparated
    for exercise in Exercises.all {
      #expect(lines.contains("      Sources/Course/Exercises/\(exercise.file)"))
    }
    #expect(lines.filter { $0.count > 80 || $0.hasSuffix(" ") } == [])
  }

  @Test("says after a reset that what is built is still the learner's") func resetAdvice() throws {
    try Data("mine".utf8).write(to: mine)
    let written = Mutex("")
    let output = Output(descriptor: -1) { _, bytes in
      written.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
      return .wrote(bytes.count)
    }
    #expect(run(["exercise", "reset", "1"], root, output) == .success)
    #expect(written.withLock(\.self).hasSuffix("'swift build' builds it again.\n"))
    #expect(try text(mine) == "// as shipped\n")
    written.withLock { $0 = "" }
    #expect(run(["exercise", "reset", "1"], root, output) == .success)
    #expect(!written.withLock(\.self).contains("swift build"))
  }

  @Test(
    "does not judge what code without checks does",
    arguments: [
      ("unowned(unsafe) var playlist: Playlist?", "unsafe"),
      ("let song = unsafe Unmanaged.passUnretained(song)", "unsafe"),
      ("@safe struct Songs {", "@safe"), ("@unsafe func song() {}", "@unsafe"),
      ("final class Songs: @unchecked Sendable {", "@unchecked"),
      ("// unsafe", nil), ("let text = \"unsafe\"", nil), ("let isUnsafe = true", nil),
    ])
  func unsafeCode(line: String, mark: String?) throws {
    try Data("// A task.\n\n  \(line)\n".utf8).write(to: mine)
    let run = try MemlabBinary.run(
      ["exercise", "01", "--format", "json"], of: "SolvedExercises",
      environment: ["MEMLAB_CHECKOUT": root.path]
    ).exits(mark == nil ? 0 : 1)
    let sentences = run.stdout.matches(of: #/Line 3 of Playlist.swift says '([^']+)'/#)
    #expect(sentences.map { String($0.1) } == mark.map { Array(repeating: $0, count: 4) } ?? [])
  }

  @Test("puts a file back as it was shipped, and keeps the learner's each time")
  func reset() throws {
    for round in 1...2 {
      try Data("mine \(round)".utf8).write(to: mine)
      #expect(run(["exercise", "reset", "01"], root) == .success)
      #expect(try text(mine) == "// as shipped\n")
      let kept = root.appending(path: ".exercises/01-\(round)-Playlist.swift.txt")
      #expect(try text(kept) == "mine \(round)")
    }
    #expect(run(["exercise", "reset", "01"], root) == .success)
    let third = root.appending(path: ".exercises/01-3-Playlist.swift.txt")
    #expect(!FileManager.default.fileExists(atPath: third.path))
  }

  #if os(Linux)
    @Test("knows a file that is newer than the program") func newerFile() throws {
      let files = ExerciseFiles(root: root)
      #expect(files.isNewerThanProgram(Exercises.all[0]))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 0)], ofItemAtPath: mine.path)
      #expect(!files.isNewerThanProgram(Exercises.all[0]))
      #expect(!files.isNewerThanProgram(Exercises.all[1]))
    }
  #endif

  @Test("loses nothing when the learner's file cannot be kept") func resetFails() throws {
    try Data("mine".utf8).write(to: mine)
    try Data().write(to: root.appending(path: ".exercises"))
    #expect(run(["exercise", "reset", "01"], root) == .cannotWrite)
    #expect(try text(mine) == "mine")
  }

  @Test("says where exercises are when memlab's sources are gone") func noSources() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "memlab-none")
    #expect(run(["exercise", "01"], root) == .untrusted)
    #expect(run(["exercise", "solution", "01"], root) == .untrusted)
  }

  @Test("shows no solution whose changes do not fit", arguments: ["as shipped", "another"])
  func solutionFits(line: String) throws {
    let diff = root.appending(path: "Sources/Course/ExerciseSolutions/Diffs/Playlist.swift.diff")
    try Scratch.write("--- a\n+++ b\n@@ -1 +1 @@\n-// \(line)\n+// solved\n", to: diff)
    let expected: ExitCode = line == "another" ? .untrusted : .success
    #expect(run(["exercise", "solution", "01"], root) == expected)
  }

  private static let nowhere = Output(descriptor: -1) { _, bytes in .wrote(bytes.count) }

  private func run(_ words: [String], _ root: URL, _ output: Output = nowhere) -> ExitCode {
    let session = Session(.memlab, checkout: root, output: output, errors: Self.nowhere)
    return Memlab(session: session).run(words)
  }

  private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }
}
