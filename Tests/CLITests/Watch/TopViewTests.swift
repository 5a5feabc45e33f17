import MemlabDumps
import MemlabWatch

#if os(Linux)
  import MemlabHeapModel
  import MemlabCLI
  import MemlabTerminalText
  import TestSupport
  import Testing

  @Suite("What top shows") struct TopViewTests {
    private func dump(_ counts: [String: Int], at time: Int64) -> HeapDump {
      var dump = HeapDump()
      dump.facts.time = time
      for (name, count) in counts {
        dump.blocks.things += Array(repeating: UInt32(dump.things.count), count: count)
        dump.things.append(HeapNode(kind: .block(.instance), name: name))
      }
      return dump
    }

    @Test("how many more there are a minute") func rate() {
      let first = dump(["App.Session": 10, "App.Note": 4], at: 1000)
      let rate = GrowthRate(from: first, to: dump([:], at: 1120))
      #expect(rate.text(of: "Session", count: 250) == "+120")
      #expect(rate.text(of: "Session", count: 11) == "+0.5")
      #expect(rate.text(of: "Note", count: 0) == "-2.0")
      #expect(rate.text(of: "Note", count: 4) == "")
      let hour = GrowthRate(from: first, to: dump([:], at: 4600))
      #expect(hour.text(of: "Note", count: 5) == "+0.017")
      #expect(rate.text(of: "Reader", count: 20) == "+10")
      #expect(GrowthRate(from: first, to: first).text(of: "Session", count: 99) == "")
    }

    @Test("tasks of the program, then of its dependencies, then of the libraries") func owners() {
      var made = dump([:], at: 0)
      let frame = HeapFrame(function: "serve()", location: nil)
      made.groups = [
        HeapDump.TaskGroup(title: "Swift's", suspendedIn: nil, frames: [], owner: .library),
        HeapDump.TaskGroup(
          title: "a server's", suspendedIn: nil, frames: [frame], owner: .dependency),
        HeapDump.TaskGroup(title: "nameless", suspendedIn: nil, frames: []),
        HeapDump.TaskGroup(title: "mine", suspendedIn: nil, frames: [frame]),
      ]
      // The program's come first, even where there are fewer of them.
      made.tasks = [0, 0, 0, 1, 1, 2, 3].enumerated().map { id, group in
        HeapDump.Task(
          block: -1, group: group, id: UInt64(id), name: nil, state: .suspended, isChild: false)
      }
      let text = TopLines(of: made, frames: 0).lines(width: 80).map(\.plain).filter { !$0.isEmpty }
      #expect(
        text.drop { !$0.contains("where they wait") }.prefix(7) == [
          "tasks  where they wait", "    1  mine",
          "       in packages that the program depends on:", "    2  a server's",
          "       in Swift's libraries, or in functions without a name:", "    3  Swift's",
          "    1  nameless",
        ])
      let read = try? HeapDump(bytes: Array(made.bytes))
      #expect(read?.groups.map(\.owner) == made.groups.map(\.owner))
    }

    @Test("at a terminal: who holds a class, the table again, and where it is kept", .needsHeap)
    func terminal() throws {
      let program = try Watched()
      try program.do("remember 3")
      let terminal = try PseudoTerminal(
        ["top", "\(program.id)"], environment: ["MEMLAB_SOCKETS": program.folder.path],
        in: program.folder)
      try Scratch.write("", to: program.folder.appending(path: "\(program.id)-1.memlab"))
      let table = try terminal.wait(for: "q quit")
      #expect(table.contains("live  a minute"), "\(table)")
      terminal.type("w")
      try terminal.type("Sessiom\u{7F}n\r", after: "class: ")
      let holders = try terminal.wait(for: "q quit")
      #expect(holders.contains("3 Session in WatchedProgram"), "\(holders)")
      #expect(holders.contains("SessionCache.shared"), "\(holders)")
      terminal.type("t")
      #expect(try terminal.wait(for: "q quit").contains("mostly held by"))
      terminal.type("s")
      _ = try terminal.wait(for: "written to \(program.id)-2.memlab")
      terminal.type("q").ends()
      #expect(try program.exit(0) == 0)
    }
  }
#endif
