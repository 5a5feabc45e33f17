import MemlabHeapModel
import MemlabPlatform
package import MemlabTerminalText

/// Starts a program as a child, looks at its heap from time to time or at its end, and passes on the
/// signals that it gets itself.
package final class Supervisor {
  private let launch: Launch
  private let atExit: Bool
  private let interval: Duration?
  private let errors: Output
  private var child: pid_t = 0
  private var first: HeapDump?
  private var wasUnread = false
  private var wasUnwritten = false

  /// Prepares.
  ///
  /// - Parameters:
  ///   - atExit: whether the heap is read when the program ends.
  ///   - interval: how often it is read before; nil for never.
  ///   - errors: where what was found goes: standard output is the program's.
  package init(_ launch: Launch, atExit: Bool, interval: Duration?, errors: Output) {
    (self.launch, self.atExit, self.interval, self.errors) = (launch, atExit, interval, errors)
  }

  /// Runs the program to its end.
  ///
  /// - Returns: the code that it ended with, 128 and the signal's number if a signal ended it; 70 when
  ///   that is 0 and the heap could not be read, 74 when what was found could not be written.
  /// - Throws: ``WatchError`` when it cannot be started.
  package func run() throws -> Int32 {
    let (ready, end) = (try Pipe(), try Pipe())
    _ = fcntl(ready.writing, F_SETFD, 0)
    child = try launch.start(ready: ready.writing, atExit: atExit)
    close(ready.writing)
    // What a terminal sends, it sends to the program, too.
    CLibrary.passOn([SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT], to: child)
    let code = Guarded<Int32>(0)
    let (id, signal) = (child, end.writing)
    let thread = SystemThread {
      code.withLock { $0 = ChildProcess.end(of: id).code }
      close(signal)
    }
    guard thread != nil else { throw WatchError.unwatchable("No thread can be started.") }
    if isWatched(ready, end) { look(until: end) } else { wasUnread = true }
    thread?.join()
    let ownCode: ExitCode = wasUnwritten ? .cannotWrite : wasUnread ? .untrusted : .success
    return code.withLock { $0 == 0 ? ownCode.rawValue : $0 }
  }

  // The agent writes whether it records, before the program begins.
  private func isWatched(_ ready: Pipe, _ end: Pipe) -> Bool {
    var requests = [ready, end].map { pollfd(fd: $0.reading, events: Int16(POLLIN), revents: 0) }
    while poll(&requests, 2, -1) < 0, errno == EINTR {}
    var answer: UInt8 = 0
    return read(ready.reading, &answer, 1) == 1 && answer == UInt8(ascii: "1")
  }

  private func look(until end: Pipe) {
    let last = atExit ? lastConnection() : nil
    last?.send("exit")
    var isWaiting = last != nil
    while true {
      let descriptors = [end.reading] + (isWaiting ? [last?.descriptor].compactMap(\.self) : [])
      var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let timeout = interval.map { Int32(clamping: $0.components.seconds * 1000) } ?? -1
      let count = poll(&requests, nfds_t(requests.count), timeout)
      if count == 0 { lookInBetween() }
      if requests.count > 1, requests[1].revents != 0, let last { isWaiting = readLast(last) }
      if requests[0].revents != 0 {
        if isWaiting { complain("the program ended before its heap could be read") }
        return
      }
    }
  }

  // Without one, the program goes on, and its code is still passed on.
  private func lastConnection() -> AgentConnection? {
    do { return try WatchedProcess(id: child).connection() } catch {
      complain("\(error)")
      return nil
    }
  }

  /// - Returns: whether the program has not said yet that it ends.
  private func readLast(_ last: AgentConnection) -> Bool {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(last.descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard count > 0 else {
      complain("the program ended before its heap could be read")
      return false
    }
    guard text.contains("exiting") else { return true }
    if let dump = latest() { write(TopLines(of: dump).lines(width: .max)) }
    CLibrary.endConnection(last.descriptor)
    return false
  }

  private func lookInBetween() {
    guard let dump = latest() else { return }
    guard let first else {
      first = dump
      return write(TopLines(of: dump, rows: 8).lines(width: .max))
    }
    do { write(try GrowthLines(from: first, to: dump).lines(width: 100)) } catch {
      complain("\(error)")
    }
  }

  private func latest() -> HeapDump? {
    do { return try WatchedProcess(id: child).dump() } catch {
      complain("\(error)")
      return nil
    }
  }

  private func complain(_ text: String) {
    wasUnread = true
    write("memlab: \(text)\n")
  }

  private func write(_ lines: [StyledText]) { write(lines.map { $0.plain + "\n" }.joined()) }

  // Where what was found cannot be written, the program goes on, and still gets its signals.
  private func write(_ text: String) { do { try errors.write(text) } catch { wasUnwritten = true } }
}

/// A pipe that no program started from here inherits.
private final class Pipe {
  let reading: Int32
  let writing: Int32

  init() throws(WatchError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .unwatchable("There are no descriptors to spare.") }
    (reading, writing) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit { close(reading) }
}
