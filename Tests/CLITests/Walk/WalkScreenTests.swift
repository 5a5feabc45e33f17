#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("memlab walk at a terminal", .serialized) struct WalkScreenTests {
    private static let giveBack = "\u{1B}[?25h\u{1B}[?1049l"
    private static let walk = ["walk", "strong-self", "--ending", "cancel", "--predict", "live=1"]

    @Test("asks, and asks again when the answer makes no sense, and compares", .needsHeap)
    func predictions() throws {
      let terminal = try PseudoTerminal(["walk", "strong-self", "--ending", "cancel"])
      try terminal.type("2\n", after: "How many of 2 objects are deinitialised? ")
      try terminal.type("9\n", after: "How many of 2 tasks still live? ")
      try terminal.type("1\n", after: "'9' is no number from 0 to 2.")
      try terminal.wait(for: "What holds DataCacheUseCaseImpl in the end?")
      try terminal.type("2\n", after: "(1 to 5, Enter skips, q quits) ")
      try terminal.type("nnnnnn", after: "step 1 of 6")
      let result = try terminal.wait(for: "Enter end")
      #expect(result.contains("of 2 objects deinitialised          2         0   not what was mea"))
      #expect(result.contains("tasks still live                    1         1   right"))
      terminal.type("\n")
      let summary = try terminal.wait(for: "Which of these would you make weak")
      #expect(summary.contains(Self.giveBack))
      #expect(summary.contains("says that a retain cycle occurs. But step 6 shows"), "\(summary)")
      terminal.type("\n")
      try terminal.type("q\n", after: "would the same belief be right there?").ends()
    }

    @Test("asks each question below the title and the code where all have no room", .needsHeap)
    func screens() throws {
      let terminal = try PseudoTerminal(["walk", "retain-cycle", "--ending", "drop"])
      let title = "retain-cycle · ending drop"
      let first = try terminal.wait(for: "How many of 2 objects are deinitialised?")
      #expect(first.contains(title) && first.contains("  final class Moon {"))
      terminal.type("\n")
      let second = try terminal.wait(for: "(1 to 5, Enter skips, q quits) ")
      let lines = second.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).drop {
        !$0.contains(title)
      }
      #expect(second.contains("  final class Moon {"))
      #expect((20...24).contains(lines.count), "\(second)")
      terminal.type("q\n").ends()
    }

    @Test("asks of one object whether, and not how many", .needsHeap) func oneObject() throws {
      let terminal = try PseudoTerminal(["walk", "stored-closure", "--ending", "drop"])
      try terminal.wait(for: "Is the one object deinitialised? (1 yes, 0 no, Enter skips, q quits)")
      terminal.type("2\n")
      try terminal.type("0\n", after: "'2' is neither 0 nor 1.")
      try terminal.type("\n", after: "What holds Countdown in the end?")
      try terminal.type("q", after: "step 1 of").ends()
    }

    @Test("breaks a long question between words", .needsHeap) func longQuestion() throws {
      let terminal = try PseudoTerminal(["walk", "strong-self"])
      try terminal.type("\n\n\n", after: "objects are deinitialised?")
      try terminal.type("e", after: "step 1 of")
      try terminal.type("\n\n\n", after: "objects are deinitialised?")
      let begin = "Ending cancel: "
      try terminal.wait(for: begin)
      let question = begin + (try terminal.wait(for: "q quits) "))
      let lines = question.split(whereSeparator: \.isNewline)
      #expect(lines.count == 2 && lines.allSatisfy { $0.count < 80 }, "\(question)")
      terminal.type("q\n").ends()
    }

    @Test(
      "shows the property that keeps an object where a step has run no line of the code", .needsHeap
    ) func property() throws {
      let terminal = try PseudoTerminal(["exercise", "walk", "01", "--ending", "drop"])
      try terminal.type("\n\n\n", after: "objects are deinitialised?")
      let page = try terminal.wait(for: "Enter next step")
      #expect(page.contains("27    var playlist: Playlist?"), "\(page)")
      terminal.type("q").ends(1)
    }

    @Test("asks which reference to cut, and says that any of a cycle will do", .needsHeap)
    func cut() throws {
      let terminal = try PseudoTerminal(["walk", "retain-cycle", "--ending", "drop"])
      terminal.type("\n")
      try terminal.type("\n", after: "What holds Planet in the end?")
      try terminal.type("nnn", after: "step 1 of 3")
      try terminal.type("\n", after: "Enter end")
      let question = try terminal.wait(for: "(1 to 2, Enter skips, q quits) ")
      #expect(question.contains("1 Moon → Planet (planet)   RetainCycle.swift:"), "\(question)")
      terminal.type("1\n")
      try terminal.wait(for: "Right: any one of these will do")
      #expect(terminal.end() == 0)
    }

    @Test("says where a closure waits that could be cut", .needsHeap) func closure() throws {
      let terminal = try PseudoTerminal(["walk", "strong-self", "--ending", "cancel"])
      try terminal.type("\n\n\n", after: "objects are deinitialised?")
      try terminal.type("nnnnnn", after: "step 1 of 6")
      try terminal.type("\n", after: "Enter end")
      let question = try terminal.wait(for: "(1 to 2, Enter skips, q quits) ")
      #expect(question.firstMatch(of: /\(captured\)\s+StrongSelf\.swift:\d+/) != nil, "\(question)")
      terminal.type("q\n").ends()
    }

    @Test("takes an answer with spaces around it, and quits on q") func spaces() throws {
      let terminal = try PseudoTerminal(["walk", "strong-self", "--ending", "drop"])
      try terminal.type(" 0 \n", after: "objects are deinitialised?")
      try terminal.type(" q\n", after: "still live?").ends()
    }

    @Test(
      "shows the code that the ending runs",
      arguments: [("deinit", "BroadcastStream"), ("no-deinit", "BroadcastDropped")])
    func code(ending: String, file: String) throws {
      let terminal = try PseudoTerminal(["walk", "broadcast-dropped", "--ending", ending])
      #expect(try terminal.wait(for: "Is the one object").contains("Broadcast/\(file).swift:"))
      terminal.type("\n\n\n")
      try terminal.wait(for: "step 1 of 4")
      #expect(try terminal.wait(for: "q quit").contains("Broadcast/\(file).swift:"))
      terminal.type("q").ends()
    }

    @Test("goes forward and back, and quits") func pages() throws {
      let terminal = try PseudoTerminal(Self.walk)
      try terminal.wait(for: "step 1 of 6")
      #expect(!terminal.isAsItWas)
      terminal.type("\u{1B}[C ")
      try terminal.wait(for: "step 3 of 6")
      try terminal.type("b", after: "q quit")
      #expect(try terminal.wait(for: "q quit").contains("2 a consumer starts observing"))
      terminal.type("q")
      try terminal.wait(for: Self.giveBack)
      terminal.ends()
    }

    @Test(
      "draws no more than 24 lines of 80 columns", .needsHeap,
      arguments: ["strong-self", "reactor-mutate-self"])
    func size(scenario: String) throws {
      let terminal = try PseudoTerminal(["walk", scenario, "--predict", "live=0"])
      for _ in 0..<4 {
        let page = try terminal.wait(for: "q quit").newlineSeparated
        #expect(page.count <= 24)
        let lines = page.map { $0.replacing("\u{1B}[H\u{1B}[2J", with: "").filter { $0 != "\r" } }
        #expect(lines.filter { $0.count > 80 + Self.giveBack.count } == [])
        terminal.type("n")
      }
    }

    @Test(
      "asks and turns pages at a terminal of few lines", .needsHeap, arguments: [UInt16](1...12))
    func low(height: UInt16) throws {
      let walk = ["walk", "strong-self", "--ending", "cancel"]
      let terminal = try PseudoTerminal(walk, lines: height)
      try terminal.type("\n", after: "How many of 2 objects are deinitialised? ")
      try terminal.type("\n", after: "How many of 2 tasks still live? ")
      try terminal.type("\n", after: "(1 to 5, Enter skips, q quits) ")
      for _ in 0..<7 { try terminal.type("n", after: "q quit") }
      try terminal.type("\n", after: "Which of these would you make weak").ends()
    }

    @Test("gives the terminal back when a signal ends it", arguments: [SIGTERM, SIGINT, SIGHUP])
    func ending(signal: Int32) throws {
      let terminal = try PseudoTerminal(Self.walk)
      try terminal.wait(for: "step 1 of 6")
      terminal.send(signal)
      try terminal.wait(for: Self.giveBack)
      terminal.ends(128 + signal)
    }

    @Test("gives the terminal back while it is stopped, and takes it again afterwards")
    func stopping() throws {
      let terminal = try PseudoTerminal(Self.walk)
      try terminal.wait(for: "step 1 of 6")
      terminal.send(SIGTSTP)
      try terminal.wait(for: Self.giveBack)
      #expect(terminal.isAsItWas)
      terminal.waitUntilStopped()
      terminal.send(SIGCONT)
      try terminal.wait(for: "step 1 of 6")
      #expect(!terminal.isAsItWas)
      terminal.type("q").ends()
    }

    @Test("names the ending that crashes after one that has been walked through", .needsIsolation)
    func crash() throws {
      let walk = ["crashing", "walk", "crash", "--predict", "live=0"]
      let terminal = try PseudoTerminal(walk, program: "HardCases")
      try terminal.type("e", after: "step 1 of 2")
      try terminal.wait(for: Self.giveBack)
      try terminal.wait(for: "Error: crash, ending 'index', step 2: the code has crashed")
      try terminal.wait(for: "Program crashed: ")
      terminal.ends(70)
    }
  }
#endif
