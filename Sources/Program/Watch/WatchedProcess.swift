import MemlabDumps
package import MemlabHeapModel
package import MemlabPlatform
package import MemlabTerminalText

/// A process that is watched, as its agent answers for it.
package struct WatchedProcess {
  /// Its number.
  package let id: pid_t

  /// The process with this number, which may not be watched, and may not exist.
  package init(id: pid_t) { self.id = id }

  /// Asks for a dump of the heap.
  ///
  /// - Parameter limit: after how many seconds the copy of the process is ended.
  /// - Throws: ``WatchError`` when the process is not watched, or its heap cannot be read.
  package func dump(limit: Int = 120) throws(WatchError) -> HeapDump {
    do { return try attempt(limit) } catch {
      // A lock that a thread of the program held when the process was copied is never free in the
      // copy. A second copy is made at another moment, when it may be free.
      guard case .unread(let text) = error, text.contains("took too long") else { throw error }
      return try attempt(limit)
    }
  }

  private func attempt(_ limit: Int) throws(WatchError) -> HeapDump {
    let connection = try connection()
    if isStopped {
      throw .unread("The heap of process \(id) was not read: it is stopped, as by a debugger.")
    }
    // The agent may have to end the copy that it makes for somebody else first.
    return try dump(in: connection.answer(to: "snapshot limit=\(limit)", within: limit + 600))
  }

  /// The dump that is in an answer.
  ///
  /// - Throws: ``WatchError/unread(_:)`` with what the answer says in its place.
  package func dump(in bytes: [UInt8]) throws(WatchError) -> HeapDump {
    do { return try HeapDump(bytes: bytes) } catch {
      let hasEnded = [nil, "Z"].contains(SystemCalls.statusFields(of: id).first)
      let reason = hasEnded ? "it has ended meanwhile" : "\(error)"
      throw .unread(Self.error(in: bytes) ?? "The heap of process \(id) was not read: \(reason).")
    }
  }

  /// The error's line at the end of an answer; nil where there is none.
  package static func error(in bytes: [UInt8]) -> String? {
    // Before it there may be a part of a dump, which is not text.
    let lines = bytes.suffix(2048).split(separator: UInt8(ascii: "\n"))
    let start = Array("memlab.error ".utf8)
    guard let line = lines.last(where: { $0.starts(with: start) }) else { return nil }
    let sentence = String(decoding: line.dropFirst(start.count), as: UTF8.self)
    return "The heap of the process was not read: \(sentence)."
  }

  // By a signal, or by who traces it.
  private var isStopped: Bool { ["T", "t"].contains(SystemCalls.statusFields(of: id).first) }

  /// Opens a connection.
  func connection() throws(WatchError) -> AgentConnection {
    SocketFolder.removeAbandoned()
    if let path = SocketFolder.socket(of: id), let connection = AgentConnection(path: path) {
      return connection
    }
    if kill(id, 0) == 0, SocketFolder.socket(of: id).map(AgentConnection.isFull) == true {
      throw .unread(
        "The heap of process \(id) was not read: it takes no more connections"
          + (isStopped ? "; it is stopped, as by a debugger." : "."))
    }
    let isThere = kill(id, 0) == 0 || errno == EPERM
    let others = SocketFolder.processes().filter { kill($0, 0) == 0 }.map { "\($0)" }
    let watched =
      others.isEmpty
      ? "Start a program with 'memlab watch -- program arguments'."
      : "Watched are: \(others.joined(separator: ", "))."
    let what = isThere ? "The process \(id) is not watched" : "There is no process \(id)"
    throw .unwatchable("\(what). \(watched)")
  }
}

/// A connection to an agent, which is closed with the last copy.
package final class AgentConnection {
  /// The socket.
  let descriptor: Int32

  /// Connects to a socket; nil when nobody answers there.
  package init?(path: String) {
    descriptor = CLibrary.streamSocket()
    guard Self.attempt(descriptor, at: path) == 0 else { return nil }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, 0)
  }

  /// Whether nobody listens at a socket.
  package static func isRefused(at path: String) -> Bool { error(at: path) == ECONNREFUSED }

  /// Whether a socket has no room for another connection.
  package static func isFull(at path: String) -> Bool { error(at: path) == EAGAIN }

  private static func error(at path: String) -> Int32 {
    let descriptor = CLibrary.streamSocket()
    defer { close(descriptor) }
    return attempt(descriptor, at: path)
  }

  // A process that listens may have no room for another connection, for as long as it is stopped. Nobody
  // waits for that. Returns zero, or the number of an error.
  private static func attempt(_ descriptor: Int32, at path: String) -> Int32 {
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      room.copyBytes(from: path.utf8)
      return true
    }
    guard fits, descriptor >= 0 else { return EINVAL }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    return code == 0 ? 0 : errno
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Sends a request, and reads until the other side closes the connection, or the seconds are over.
  ///
  /// - Returns: what has come by then, of at most a gigabyte: twenty million blocks.
  package func answer(to request: String, within seconds: Int) -> [UInt8] {
    send(request)
    return SystemCalls.everything(from: descriptor, within: .seconds(seconds), atMost: 1 << 30)
  }

  /// Sends a request.
  func send(_ request: String) {
    _ = Array((request + "\n").utf8).withUnsafeBytes { CLibrary.writeAll(descriptor, $0) }
  }
}

/// A dump in a file.
package struct SnapshotFile {
  /// The file's path.
  package let path: String

  /// The file of this name; the ending is added where it is missing.
  package init(named name: String, ending: String = "memlab") {
    path = name.hasSuffix("." + ending) ? name : "\(name).\(ending)"
  }

  /// Whether there is one already.
  package var exists: Bool { FileManager.default.fileExists(atPath: path) }

  /// Reads it.
  ///
  /// - Throws: ``WatchError/unfit(_:)`` when it is not there, or no snapshot.
  package func read() throws(WatchError) -> HeapDump {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .unfit(
        "The file \(quotedPath(path)) cannot be read. 'memlab snapshot PID NAME' writes one.")
    }
    do { return try HeapDump(bytes: Array(data)) } catch {
      throw .unfit("The file \(quotedPath(path)) cannot be used: \(error).")
    }
  }

  /// Writes bytes to it, all or none. Only the user may read it: names may be what others typed.
  package func write(_ bytes: some Collection<UInt8>) throws(OutputError) {
    try WholeFile(path, isPrivate: true).write(bytes: ContiguousArray(bytes))
  }
}

/// Why a program is not watched, or its heap not read.
package enum WatchError: ErrorWithExitCode, CustomStringConvertible, Equatable {
  /// The program cannot be watched, or none can on this machine. The text is a sentence.
  case unwatchable(String)
  /// The heap of a program that is watched could not be read. The text is a sentence.
  case unread(String)
  /// A file is no snapshot, or snapshots do not belong together. The text is a sentence.
  case unfit(String)

  /// A sentence for the person at the terminal.
  package var description: String {
    switch self {
    case .unwatchable(let text), .unread(let text), .unfit(let text): text
    }
  }

  /// The code to end with.
  package var exitCode: ExitCode { if case .unread = self { .untrusted } else { .unfit } }
}
