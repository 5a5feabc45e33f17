import Foundation
import MemlabPlatform
import MemlabWatch
import TestSupport
import Testing

@Suite("What cannot be watched") struct WatchRefusalTests {
  @Test(
    "is refused with a sentence and 65", .needsHeap,
    arguments: [
      ("/bin/sh", "'/bin/sh' has no Swift in it."),
      ("/nowhere/at/all", "'/nowhere/at/all' cannot be started: No such file or directory."),
      ("no-such-program-of-memlab", "There is no program 'no-such-program-of-memlab'"),
      ("/etc/passwd", "'/etc/passwd' is no file that can be executed."),
      ("/tmp", "'/tmp' is no file that can be executed."),
    ])
  func refused(program: String, sentence: String) throws {
    try MemlabBinary.run(["watch", program]).exits(65).saysNothing().complains(sentence)
  }

  @Test(
    "another allocator is named, with 65", .needsHeap,
    arguments: ["/nowhere/libjemalloc.so.2", "libnone.so:libtcmalloc_minimal.so.4"])
  func allocator(preloaded: String) throws {
    // The loader says that there is no such library, and goes on.
    try MemlabBinary.run(
      ["watch", MemlabBinary.folder.path + "/memlab"], environment: ["LD_PRELOAD": preloaded]
    ).exits(65).complains("LD_PRELOAD has another allocator, '")
  }

  @Test("symbols of another program are refused, with 65", .needsHeap) func symbols() throws {
    let program = MemlabBinary.folder.path + "/memlab"
    let long = "/nowhere" + String(repeating: "/in-a-deep-folder", count: 10)
    for (file, sentence) in [
      ("/nowhere", "The file '/nowhere' cannot be read."),
      (long, "The file '\(long)' cannot be read."),
      ("/bin/sh", "'/bin/sh' is not '\(program)' before it was stripped"),
    ] { try MemlabBinary.run(["watch", "--symbols", file, program]).exits(65).complains(sentence) }
  }

  @Test("symbols in a pipe are refused, and not waited for", .needsHeap) func pipe() throws {
    let path = Scratch.place().path
    try #require(mkfifo(path, 0o600) == 0)
    let program = Program(MemlabBinary.folder.appending(path: "memlab"))
    let words = ["watch", "--symbols", path, program.executable.path]
    try program.run(words, limit: .seconds(60)).exits(65).complains("'\(path)' is not '")
  }

  @Test("a script is named as one") func script() throws {
    #expect(throws: ProgramFile.Failure.script) { try ProgramFile(bytes: Data("#!/bin/sh\n".utf8)) }
  }

  @Test("files that are not programs are read without harm") func junk() throws {
    let own = try Data(
      contentsOf: MemlabBinary.folder.appending(path: "memlab"), options: .mappedIfSafe)
    for count in [0, 3, 16, 63, 64, 200, 4096] {
      _ = try? ProgramFile(bytes: Data(own.prefix(count)))
    }
    for place in 0..<64 {
      var header = Data(own.prefix(1 << 16))
      header[place] = 0xFF
      _ = try? ProgramFile(bytes: header)
    }
  }

  @Test("memlab itself has Swift in a library", .needsHeap) func own() throws {
    let file = try ProgramFile(path: MemlabBinary.folder.appending(path: "memlab").path)
    #expect(file.obstacle(machine: file.machine) == nil)
    #expect(file.obstacle(machine: 1) == "is built for another processor")
  }

  @Test("a process that is not watched is named, with 65", .needsHeap) func process() throws {
    let own = "\(ProcessInfo.processInfo.processIdentifier)"
    try MemlabBinary.run(["top", own]).exits(65).complains("The process \(own) is not watched.")
  }

  @Test("folders for sockets that are too long, or others', are passed over with a reason")
  func folders() throws {
    let long = "/tmp/" + String(repeating: "x", count: 100)
    #expect(throws: WatchError.self) { try SocketFolder.make(among: [long, "/proc/memlab"]) }
    do {
      _ = try SocketFolder.make(among: [long, "/proc/memlab", "/tmp"])
    } catch {
      let text = "\(error)"
      #expect(text.contains("is too long for the address of a socket"))
      #expect(text.contains("'/proc/memlab': "))
      #expect(text.contains("'/tmp' is") || text.contains("'/tmp': is not a folder of yours alone"))
    }
  }

  @Test("sockets of processes that are gone are removed, and nothing else")
  func abandoned() throws {
    let folder = try Scratch.folder(rights: 0o700)
    // No process has such numbers. The first two have a socket; somebody listens at the second.
    let (gone, elsewhere, file) = (Int32.max - 3, Int32.max - 2, Int32.max - 1)
    let own = ProcessInfo.processInfo.processIdentifier
    let listeners = try [gone, elsewhere, own].map {
      try BoundSocket(folder.appending(path: "\($0)").path, listens: $0 == elsewhere)
    }
    try Data().write(to: folder.appending(path: "\(file)"))
    SocketFolder.removeAbandoned(among: [folder.path])
    withExtendedLifetime(listeners) {
      #expect(SocketFolder.processes(among: [folder.path]) == [own, elsewhere, file].sorted())
    }
  }

  @Test("a file that is no snapshot is refused with 65") func file() throws {
    try MemlabBinary.run(["diff", Repository.root.path + "/Package.swift", "nothing"]).exits(65)
      .complains("cannot be read")
  }

  @Test("an invalid time is bad usage", arguments: ["0s", "10", "s", "5d", "-1s"])
  func time(text: String) throws {
    try MemlabBinary.run(["watch", "--every=\(text)", "x"]).exits(64).complains("90s, 5m or 1h")
  }
}

/// Calls something with the address of a socket.
func withSocketAddress(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}

/// A socket in a folder, which is closed with the last copy.
final class BoundSocket {
  let descriptor: Int32

  init(_ path: String, listens: Bool) throws {
    descriptor = CLibrary.streamSocket()
    try #require(withSocketAddress(path, { bind(descriptor, $0, $1) }) == 0)
    if listens { try #require(listen(descriptor, 1) == 0) }
  }

  deinit {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }
}
