#if os(Linux)
  import Foundation
  import MemlabDumps
  import MemlabHeapModel
  import MemlabPlatform
  import MemlabWatch
  import Synchronization
  import TestSupport
  import Testing

  @Suite("A snapshot, or an agent's answer, with names that would be obeyed")
  struct HostileSnapshotTests {
    /// A dump in which all that has a name has a hostile one.
    private static func dump(at time: Int64 = 1000, things count: Int = 3) -> HeapDump {
      let (name, place) = (Hostile.name, CodeLocation(file: Hostile.name, line: 7))
      var dump = HeapDump()
      (dump.facts.program, dump.facts.time, dump.facts.losses) = (name, time, [name])
      (dump.facts.moment, dump.facts.process) = (UInt64(time), getpid())
      dump.things = [
        HeapNode(kind: .block(.instance), name: name), HeapNode(kind: .block(.task), name: ""),
        HeapNode(kind: .block(.context), name: name), HeapNode(kind: .block(.buffer), name: name),
      ]
      dump.labels = [
        HeapDump.Label(kind: .field, name: name, closure: name, closureLocation: place)
      ]
      dump.groups = [
        HeapDump.TaskGroup(
          title: name, suspendedIn: name, frames: [HeapFrame(function: name, location: place)])
      ]
      dump.tasks = [
        HeapDump.Task(block: 0, group: 0, id: 1, name: name, state: .suspended, isChild: false)
      ]
      dump.roots = [0: .task(0), 1: .global(name)]
      // A task that holds a closure that holds objects, and a global variable that holds a buffer.
      let kinds: [(thing: Int, holder: Int)] =
        [(1, -1), (3, -1), (2, 0)] + Array(repeating: (0, 2), count: count)
      dump.add(
        kinds.enumerated().map { place, kind in
          (UInt64(place) + 1 + (place > 5 ? 1000 : 0), 100, kind.thing, kind.holder)
        })
      return dump
    }

    private static func expectShown(
      _ run: ProgramResult, _ codes: Int32..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(codes.contains(run.exitCode), "\(run.stderr)", sourceLocation: sourceLocation)
      let shown = (run.stdout + run.stderr).uppercased()
      // In JSON, it is `\u001B`.
      #expect(
        shown.contains("\\U{1B}") || shown.contains("\\U001B"), sourceLocation: sourceLocation)
      #expect(Hostile.obeyed(in: run.stdout) == [], sourceLocation: sourceLocation)
      #expect(Hostile.obeyed(in: run.stderr) == [], sourceLocation: sourceLocation)
    }

    @Test("is shown by why and diff") func files() throws {
      let folder = try Scratch.folder().path
      let (first, second) = (folder + "/first.memlab", folder + "/second.memlab")
      try Data(Self.dump().bytes).write(to: URL(filePath: first))
      try Data(Self.dump(at: 2000, things: 9).bytes).write(to: URL(filePath: second))
      let title = Self.dump().things[0].title
      for format in ["text", "json"] {
        let why = try MemlabBinary.run(["why", first, title, "--format", format])
        Self.expectShown(why, 0)
        #expect(format == "json" || why.stdout.contains("held alike"), "\(why.stdout)")
        let diff = try MemlabBinary.run(["diff", first, second, "--format", format])
        Self.expectShown(diff, 0)
        #expect(format == "json" || diff.stdout.contains("+ 6 "), "\(diff.stdout)")
        let sarif = try MemlabBinary.run(["diff", first, second, "--format", "sarif"])
        Self.expectShown(sarif, 0)
        let log = try SARIF(sarif.stdout)
        #expect(!log.results.isEmpty)
        #expect(log.results.allSatisfy { $0.ruleId == "growth" && $0.line == 7 })
      }
      Self.expectShown(try MemlabBinary.run(["why", first, title + "x"]), 0)
      Self.expectShown(try MemlabBinary.run(["why", folder + "/" + Hostile.name, "C"]), 65)
      var other = Self.dump(at: 2000)
      other.facts.process += 1
      try Data(other.bytes).write(to: URL(filePath: second))
      Self.expectShown(try MemlabBinary.run(["diff", first, second]), 65)
    }

    @Test("is shown by top, snapshot and diff, and its files are the user's alone")
    func agent() throws {
      let agent = try FakeAgent { Array(Self.dump().bytes) }
      Self.expectShown(try agent.memlab(["top", "\(getpid())"]), 0)
      Self.expectShown(try agent.memlab(["top", "\(getpid())", "--format", "json"]), 0)
      for format in ["memlab", "json", "heapsnapshot", "pprof", "folded"] {
        let name = agent.folder + "/" + format
        let run = try agent.memlab(["snapshot", "\(getpid())", name, "--format", format])
        Self.expectShown(run, 0)
        let path = run.stdout.trimmingCharacters(in: .newlines)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600, "\(path)")
        guard ["json", "heapsnapshot", "folded"].contains(format) else { continue }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(Hostile.obeyed(in: text) == [], "\(format)")
        guard format != "folded" else { continue }
        let data = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect("\(data)".unicodeScalars.contains("\u{202E}"), "JSON gives back what it was given")
      }
      let hostile = agent.folder + "/" + Hostile.name.replacing("\r\n", with: "\r")
      Self.expectShown(try agent.memlab(["snapshot", "\(getpid())", hostile]), 0)
    }

    @Test("is shown by top on a terminal, and by the keys") func terminal() throws {
      let looks = Mutex<Int64>(0)
      let agent = try FakeAgent {
        let time = looks.withLock { looks in
          looks += 1
          return looks * 1000
        }
        return Array(Self.dump(at: time, things: Int(time / 500)).bytes)
      }
      let terminal = try PseudoTerminal(
        ["top", "\(getpid())"], lines: 60, environment: ["MEMLAB_SOCKETS": agent.folder])
      var seen = try terminal.wait(for: "q quit")
      terminal.type("w")
      try terminal.type("none\r", after: "class: ")
      seen += try terminal.wait(for: "q quit")
      terminal.type("d")
      seen += try terminal.wait(for: "q quit")
      terminal.type("q").ends()
      #expect(seen.contains("\n+ 2 "), "\(seen)")
      #expect(seen.contains("\\u{1B}]0;title"))
      #expect(!seen.contains("\u{1B}]"))
      // What moves the cursor is memlab's.
      let rest = seen.replacing(/\u{1B}\[[?0-9;]*[A-Za-z]/, with: "").unicodeScalars
      #expect(Hostile.obeyed(in: String(rest.filter { $0 != "\r" })) == [])
    }

    @Test("is shown where it is an error") func error() throws {
      let agent = try FakeAgent { Array("memlab.error \(Hostile.name)\n".utf8) }
      // Of several lines, the last that is an error counts.
      let line = try FakeAgent { Array("memlab.error x\u{1B}]0;t\u{7}\u{202E}\n".utf8) }
      for agent in [agent, line] {
        let run = try agent.memlab(["top", "\(getpid())"]).exits(70)
        #expect(Hostile.obeyed(in: run.stderr) == [], "\(run.stderr)")
      }
    }
  }

  /// Listens where the agent of this process would, and answers each request with the same.
  private final class FakeAgent {
    let folder: String
    private let listener: BoundSocket

    init(_ answer: @escaping @Sendable () -> [UInt8]) throws {
      folder = try Scratch.folder(rights: 0o700).path
      listener = try BoundSocket("\(folder)/\(getpid())", listens: true)
      Thread.detachNewThread { [descriptor = listener.descriptor] in
        while case let peer = accept(descriptor, nil, nil), peer >= 0 {
          var request = [UInt8](repeating: 0, count: 256)
          _ = read(peer, &request, request.count)
          _ = answer().withUnsafeBytes { CLibrary.writeAll(peer, $0) }
          close(peer)
        }
      }
    }

    func memlab(_ words: [String]) throws -> ProgramResult {
      try MemlabBinary.run(words, environment: ["MEMLAB_SOCKETS": folder])
    }
  }
#endif
