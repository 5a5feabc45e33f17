#if !MEMLAB_PORTABLE
  import Foundation
  import MemlabPlatform
  import MemlabWatch
  import TestSupport
  import Testing

  @Suite("The agent in a program", .needsHeap, .serialized) struct AgentTests {
    private func listening() throws -> (program: Watched, socket: String) {
      let program = try Watched()
      return (program, program.folder.path + "/\(program.id)")
    }

    @Test("removes its own socket at the end", arguments: [true, false])
    func own(isReplaced: Bool) throws {
      let (program, path) = try listening()
      if isReplaced { try FileManager.default.removeItem(atPath: path) }
      let other = isReplaced ? try BoundSocket(path, listens: true) : nil
      #expect(try program.exit(0) == 0)
      withExtendedLifetime(other) {
        #expect(FileManager.default.fileExists(atPath: path) == isReplaced)
      }
    }

    @Test("leaves a file that has its socket's name") func file() throws {
      let (program, path) = try listening()
      try FileManager.default.removeItem(atPath: path)
      try Data("keep".utf8).write(to: URL(filePath: path))
      #expect(try program.exit(0) == 0)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "keep")
    }

    @Test("has a socket that only its user may open") func rights() throws {
      let (program, path) = try listening()
      let rights = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
      #expect(rights as? Int == 0o600)
      #expect(try program.exit(0) == 0)
    }

    @Test("does not listen in a folder that others may enter, whatever its name comes from")
    func folder() throws {
      let folder = try Scratch.folder()
      try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: folder.path)
      let run = try preloaded(into: "WatchedProgram", folder: folder.path)
      #expect(
        run.stderr.contains("not watched: the folder in MEMLAB_DIRECTORY is not the user's alone"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("does not record a program without Swift") func cat() throws {
      let folder = try Scratch.folder(rights: 0o700)
      let run = try preloaded(into: "/bin/cat", folder: folder.path)
      #expect(run.stderr.contains("not watched: the program does not load libswiftCore.so"))
      #expect(try preloaded(into: "WatchedProgram", folder: folder.path).stderr == "")
    }

    /// Runs a program that ends at the end of its input.
    private func preloaded(into program: String, folder: String) throws -> ProgramResult {
      let libraries = MemlabBinary.folder.path
      return try Program(URL(filePath: program, relativeTo: MemlabBinary.folder)).run(
        environment: [
          "LD_PRELOAD": libraries + "/libmemlab-agent.so",
          "MEMLAB_PROBE": libraries + "/libmemlab-probe.so", "MEMLAB_DIRECTORY": folder,
        ], limit: .seconds(60)
      ).exits(0)
    }

    @Test("serves others soon, where a peer never ends its line") func slowly() throws {
      let (program, path) = try listening()
      let peer = try Peer(path)
      // A byte now and then, as long as somebody listens.
      let start = ContinuousClock.now
      while peer.says("x"), peer.line(within: 300) == nil,
        start.duration(to: .now) < .seconds(20)
      {}
      #expect(start.duration(to: .now) < .seconds(10))
      #expect(try program.memlab(["top", "\(program.id)"]).exitCode == 0)
      #expect(try program.exit(0) == 0)
    }

    @Test("is waited for until a time is over, where it says nothing") func silence() throws {
      let path = Scratch.place().path
      let listener = try BoundSocket(path, listens: true)
      let connection = try #require(AgentConnection(path: path))
      #expect(connection.answer(to: "snapshot", within: 1) == [])
      withExtendedLifetime(listener) {}
    }

    @Test("is not waited for where it takes no more connections") func full() throws {
      let path = Scratch.place().path
      let listener = try BoundSocket(path, listens: true)
      var connections: [AgentConnection] = []
      while let connection = AgentConnection(path: path), connections.count < 5000 {
        connections.append(connection)
      }
      #expect((1..<5000).contains(connections.count))
      #expect(AgentConnection.isFull(at: path))
      #expect(!AgentConnection.isRefused(at: path))
      withExtendedLifetime(listener) {}
    }

    @Test("is not waited for while its process is stopped") func stopped() throws {
      let (program, _) = try listening()
      #expect(kill(program.id, SIGSTOP) == 0)
      try program.memlab(["top", "\(program.id)"]).exits(70).complains(
        "was not read: it is stopped, as by a debugger.")
      #expect(kill(program.id, SIGCONT) == 0)
      #expect(try program.memlab(["top", "\(program.id)"]).exitCode == 0)
      #expect(try program.exit(0) == 0)
    }

    @Test("reads the heap with a limit that is too large for a clock") func limit() throws {
      let (program, path) = try listening()
      let peer = try Peer(path)
      #expect(peer.says("snapshot limit=9223372036854775807\n"))
      #expect(peer.line(within: 60_000) == "memlab.heap/2")
      #expect(try program.exit(0) == 0)
    }

    @Test("tells one peer of the end, and the next one when that is gone") func end() throws {
      let (program, path) = try listening()
      var first: Peer? = try Peer(path)
      #expect(first?.says("exit\n") == true)
      #expect(first?.line(within: 60_000) == "waiting")
      let second = try Peer(path)
      #expect(second.says("exit\n"))
      #expect(second.line(within: 60_000) == "")
      #expect(
        second.line(within: 60_000) == "memlab.error somebody else waits for the end of the program"
      )
      first = nil
      let third = try Peer(path)
      #expect(third.says("exit\n"))
      #expect(third.line(within: 60_000) == "waiting")
      try program.begin("exit 3")
      #expect(third.line(within: 60_000) == "exiting")
      third.leave()
      #expect(program.end() == 3)
    }

    // It waits for a minute.
    @Test("ends without a peer that does not close its connection", .needsTime)
    func stuck() throws {
      let (program, path) = try listening()
      let peer = try Peer(path)
      #expect(peer.says("exit\n"))
      #expect(peer.line(within: 60_000) == "waiting")
      let start = ContinuousClock.now
      #expect(try program.exit(3) == 3)
      #expect(start.duration(to: .now) < .seconds(90))
      peer.leave()
    }

    @Test("has the pointers that stand for malloc's where nothing can be written")
    func pointers() throws {
      let (program, _) = try listening()
      let library = try Data(contentsOf: MemlabBinary.folder.appending(path: "libmemlab-agent.so"))
      let place = try #require(library.address(of: "heap_recorder_malloc"))
      let regions = try program.maps.filter { $0.hasSuffix("/libmemlab-agent.so") }
        .map { $0.split { "- ".contains($0) } }
      let base = try #require(regions.first.flatMap { UInt64($0[0], radix: 16) })
      let region = regions.first { region in
        guard let start = UInt64(region[0], radix: 16), let end = UInt64(region[1], radix: 16)
        else { return false }
        return (start..<end).contains(base + place)
      }
      // Between its addresses and its offset, `-` is left out of `r--p`.
      #expect(region?[2] == "r", "\(regions)")
      #expect(try program.exit(0) == 0)
    }
  }

  extension Data {
    /// The address of a symbol in an ELF file, see
    /// https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.symtab.html.
    fileprivate func address(of symbol: String) -> UInt64? {
      let (sections, size) = (number(40, 8), number(58, 2))
      let tables = (0..<number(60, 2)).map { sections + $0 * size }
      guard let table = tables.first(where: { number($0 + 4, 4) == 2 }) else { return nil }
      let names = number(sections + number(table + 40, 4) * size + 24, 8)
      let entries = stride(
        from: number(table + 24, 8), to: number(table + 24, 8) + number(table + 32, 8), by: 24)
      let entry = entries.first { entry in
        self[(names + number(entry, 4))...].prefix { $0 != 0 }.elementsEqual(symbol.utf8)
      }
      return entry.map { UInt64(number($0 + 8, 8)) }
    }
  }

  /// What speaks to an agent, and may do so badly.
  private final class Peer {
    private let descriptor = CLibrary.streamSocket()
    private var received: [UInt8] = []
    private var isOpen = true

    init(_ path: String) throws {
      try #require(withSocketAddress(path, { connect(descriptor, $0, $1) }) == 0)
    }

    /// - Returns: false where nobody listens any more.
    func says(_ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
    }

    /// The next line; nil where none has come in time, or comes any more.
    func line(within milliseconds: Int32) -> String? {
      while true {
        if let end = received.firstIndex(of: 10) {
          defer { received.removeFirst(end + 1) }
          return String(decoding: received[..<end], as: UTF8.self)
        }
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) > 0 else { return nil }
        var part = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &part, part.count, 0)
        guard count > 0 else { return nil }
        received += part[..<count]
      }
    }

    func leave() {
      if isOpen { close(descriptor) }
      isOpen = false
    }

    deinit { leave() }
  }
#endif
