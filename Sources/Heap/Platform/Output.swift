import Synchronization

/// Writes text to a file descriptor at once, with nothing held back.
///
/// What has been written survives a trap. When the reader of a pipe has gone, the rest is swallowed
/// silently; any other failure is thrown, and thrown again by every later write.
package final class Output: Sendable {
  private enum State {
    case open
    case closed
    case failed(OutputError)
  }

  /// The descriptor this output writes to.
  package let descriptor: Int32

  private let file: String?
  private let systemWrite: SystemWrite
  private let state = Mutex(State.open)

  /// Makes an output.
  ///
  /// - Parameters:
  ///   - descriptor: An open file descriptor; it stays open.
  ///   - file: The file that an error names; nil for the standard output.
  ///   - systemWrite: The call that writes.
  package init(
    descriptor: Int32, file: String? = nil, systemWrite: @escaping SystemWrite = SystemCalls.write
  ) { (self.descriptor, self.file, self.systemWrite) = (descriptor, file, systemWrite) }

  /// The standard output; a broken pipe no longer ends the program once it has been used.
  package static let standard = standardStream(1)

  /// The standard error; a broken pipe no longer ends the program once it has been used.
  package static let standardError = standardStream(2)

  private static func standardStream(_ descriptor: Int32) -> Output {
    SystemCalls.ignoreSignalsOfWrites()
    return Output(descriptor: descriptor)
  }

  /// Writes all of a text before it returns; what a terminal or a build server would obey is shown.
  ///
  /// - Parameter text: The text; no line break is added.
  /// - Throws: `OutputError` when it can't be written, now or since an earlier write.
  package func write(_ text: String) throws(OutputError) {
    try write(control: text.shown(keeping: "\n\t").withoutCommands)
  }

  /// Writes what is to be obeyed: colours, where the cursor goes, workflow commands. All else in it
  /// has to be shown already, as `StyledText` is.
  ///
  /// - Throws: `OutputError` when it can't be written, now or since an earlier write.
  package func write(control text: String) throws(OutputError) {
    try write(bytes: ContiguousArray(text.utf8))
  }

  /// Writes all of some bytes before it returns.
  ///
  /// - Throws: `OutputError` when they can't be written, now or since an earlier write.
  package func write(bytes text: ContiguousArray<UInt8>) throws(OutputError) {
    try state.withLock { (state: inout State) throws(OutputError) in
      if case .open = state { state = writeAll(text) }
      if case .failed(let error) = state { throw error }
    }
  }

  private func writeAll(_ text: ContiguousArray<UInt8>) -> State {
    text.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        switch systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest)) {
        case .wrote(let count): rest = rest.dropFirst(count)
        case .retry: continue
        case .readerIsGone: return .closed
        case .failed(let code): return .failed(OutputError(code: code, file: file))
        }
      }
      return .open
    }
  }
}

/// The output could not be written.
package struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operating system's `errno`.
  package let code: Int32

  /// The file that was to be written; nil for the standard output.
  package let file: String?

  private let reason: String?

  /// Makes an error from the operating system's `errno`.
  ///
  /// - Parameter reason: why, where that is not what the system says of the code.
  package init(code: Int32, file: String? = nil, reason: String? = nil) {
    (self.code, self.file, self.reason) = (code, file, reason)
  }

  /// The error of a path that leads where another user wants.
  package static func trap(_ path: String) -> OutputError {
    OutputError(
      code: EACCES, file: path,
      reason: "another user has put a link or a pipe there, or on the way; name another file")
  }

  /// The text for standard error, ending in a line break.
  package var description: String {
    let reason = reason ?? String(cString: strerror(code))
    let output = file.map { "The file \(quotedPath($0))" } ?? "The output"
    return "Error: \(output) could not be written: \(reason).\n"
  }
}

/// A file that is written whole or not at all.
///
/// The text goes into a new file beside it, which takes its place when all of it is there. A reader
/// sees the old file or the new one, never half of either.
package struct WholeFile: Sendable {
  private let path: String
  private let isPrivate: Bool
  private let systemWrite: SystemWrite

  /// A file to write.
  ///
  /// - Parameters:
  ///   - path: the file to write. A link is followed; one that points to nothing is replaced by the
  ///     new file. Anything else, such as a pipe, is written to directly; but not what ``CheckedPlace`` refuses.
  ///   - isPrivate: whether only the user may read it.
  ///   - systemWrite: the call that writes.
  package init(
    _ path: String, isPrivate: Bool = false, systemWrite: @escaping SystemWrite = SystemCalls.write
  ) { (self.path, self.isPrivate, self.systemWrite) = (path, isPrivate, systemWrite) }

  /// Writes the text.
  ///
  /// - Throws: `OutputError` when it cannot be written; a file that was there is still what it was.
  package func write(_ text: String) throws(OutputError) {
    try write(bytes: ContiguousArray(text.utf8))
  }

  /// Writes bytes.
  ///
  /// - Throws: `OutputError` when they cannot be written; a file that was there is still what it was.
  package func write(bytes text: ContiguousArray<UInt8>) throws(OutputError) {
    if let stream { return try put(text, stream) }
    let place = try CheckedPlace(path)
    switch place.entry.map({ $0.st_mode & S_IFMT }) {
    case S_IFDIR?: throw error(EISDIR)
    case nil, S_IFREG?:
      let kept = place.entry.flatMap { $0.st_uid == geteuid() ? $0.st_mode & 0o7777 : nil }
      try replace(place, with: text, mode: isPrivate ? 0o600 : kept)
    default: try pour(text, into: place)
    }
  }

  // The standard output or error, where the path is another name of it. To replace its file would lose
  // what a shell has written there and will write.
  private var stream: Int32? {
    guard path.hasPrefix("/dev/") || path.hasPrefix("/proc/"),
      let file = SystemCalls.status(of: path)
    else { return nil }
    return [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
      SystemCalls.isOpen(file, by: descriptor)
    }
  }

  /// Whether a path leads to or through a link or a pipe of another user, which ``CheckedPlace`` does not
  /// follow.
  package static func isTrap(_ path: String, for user: uid_t = geteuid()) -> Bool {
    do throws(OutputError) {
      _ = try CheckedPlace(path, for: user)
      return false
    } catch { return error == .trap(path) }
  }

  private func pour(_ text: ContiguousArray<UInt8>, into place: CheckedPlace) throws(OutputError) {
    let descriptor = place.open(O_WRONLY)
    guard descriptor >= 0 else { throw error(errno) }
    defer { close(descriptor) }
    try put(text, descriptor)
  }

  private func replace(
    _ place: CheckedPlace, with text: ContiguousArray<UInt8>, mode: mode_t?
  ) throws(OutputError) {
    let folder = place.folder.descriptor
    let (descriptor, temporary) = try create(in: folder, mode: mode)
    do throws(OutputError) {
      try fill(descriptor, with: text, mode: mode)
      guard renameat(folder, temporary, folder, place.name) == 0 else { throw error(errno) }
    } catch {
      unlinkat(folder, temporary, 0)
      throw error
    }
  }

  /// Makes an empty file beside the one to write. The system takes from its permissions what the
  /// process's mask forbids.
  private func create(
    in folder: Int32, mode: mode_t?
  ) throws(OutputError) -> (descriptor: Int32, name: String) {
    for _ in 0..<100 {
      let name = ".memlab-" + String(UInt64.random(in: 0...(.max)), radix: 36)
      let descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode ?? 0o666)
      if descriptor >= 0 { return (descriptor, name) }
      guard errno == EEXIST else { break }
    }
    throw error(errno)
  }

  private func fill(
    _ descriptor: Int32, with text: ContiguousArray<UInt8>, mode: mode_t?
  ) throws(OutputError) {
    var isOpen = true
    defer { if isOpen { close(descriptor) } }
    try put(text, descriptor)
    if let mode, fchmod(descriptor, mode) != 0 { throw error(errno) }
    guard fsync(descriptor) == 0 else { throw error(errno) }
    isOpen = false
    guard close(descriptor) == 0 else { throw error(errno) }
  }

  private func put(_ text: ContiguousArray<UInt8>, _ descriptor: Int32) throws(OutputError) {
    try Output(descriptor: descriptor, file: path, systemWrite: systemWrite).write(bytes: text)
  }

  private func error(_ code: Int32) -> OutputError { OutputError(code: code, file: path) }
}

/// One attempt to write some bytes to a file descriptor.
package typealias SystemWrite = @Sendable (Int32, UnsafeRawBufferPointer) -> WriteResult

/// What became of one attempt to write.
package enum WriteResult: Sendable, Equatable {
  /// Some bytes were written, at least one.
  case wrote(Int)

  /// Nothing was written, but the next attempt may succeed.
  case retry

  /// The other end of the pipe has been closed.
  case readerIsGone

  /// Writing is impossible; the value is `errno`.
  case failed(Int32)
}

/// What memlab's output asks of the operating system.
package enum SystemCalls {
  /// Writes with `write(2)`.
  package static let write: SystemWrite = { descriptor, bytes in
    let count = CLibrary.write(descriptor, bytes.baseAddress, bytes.count)
    return count > 0 ? .wrote(count) : failure(of: descriptor, code: count == 0 ? EIO : errno)
  }

  private static func failure(of descriptor: Int32, code: Int32) -> WriteResult {
    switch code {
    case EINTR: return .retry
    case EPIPE: return .readerIsGone
    case EAGAIN:
      // A terminal shared with another program may have been made non-blocking by it.
      var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&request, 1, -1)
      return .retry
    default: return .failed(code)
    }
  }

  /// Makes a write to a broken pipe, or beyond the largest size of a file, an error of that write instead
  /// of the end of the program.
  package static func ignoreSignalsOfWrites() {
    for number in signalsOfWrites { signal(number, SIG_IGN) }
  }

  /// The signals that a write can end a program by, which memlab ignores and another program would inherit.
  package static let signalsOfWrites = [SIGPIPE, SIGXFSZ]

  /// Where a path leads when links are followed; nil where nothing is there.
  package static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// What is at a path; nil where nothing is.
  package static func status(of path: String) -> stat? {
    var status = stat()
    return stat(path, &status) == 0 ? status : nil
  }

  /// Whether a descriptor is that of a file.
  static func isOpen(_ file: stat, by descriptor: Int32) -> Bool {
    var open = stat()
    return fstat(descriptor, &open) == 0 && (open.st_dev, open.st_ino) == (file.st_dev, file.st_ino)
  }

  /// What the kernel says of a process behind its name, "35 (name) S 1 …": its state and its parent come
  /// first. Empty where there is no such process, or no such file.
  package static func statusFields(of process: pid_t) -> [Substring] {
    let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.split(separator: " ") ?? []
  }
}
