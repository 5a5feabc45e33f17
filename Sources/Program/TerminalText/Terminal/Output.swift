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

  private let systemWrite: SystemWrite
  private let state = Mutex(State.open)

  /// Makes an output.
  ///
  /// - Parameters:
  ///   - descriptor: An open file descriptor; it stays open.
  ///   - systemWrite: The call that writes.
  package init(descriptor: Int32, systemWrite: @escaping SystemWrite = SystemCalls.write) {
    (self.descriptor, self.systemWrite) = (descriptor, systemWrite)
  }

  /// The standard output; a broken pipe no longer ends the program once it has been used.
  package static let standard = standardStream(1)

  /// The standard error; a broken pipe no longer ends the program once it has been used.
  package static let standardError = standardStream(2)

  private static func standardStream(_ descriptor: Int32) -> Output {
    SystemCalls.ignoreBrokenPipes()
    return Output(descriptor: descriptor)
  }

  /// Writes all of a text before it returns.
  ///
  /// - Parameter text: The text; no line break is added.
  /// - Throws: `OutputError` when it can't be written, now or since an earlier write.
  package func write(_ text: String) throws(OutputError) {
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
        case .failed(let code): return .failed(OutputError(code: code))
        }
      }
      return .open
    }
  }
}

extension Output {
  /// Writes lines as a terminal shows them.
  ///
  /// - Parameter color: Whether to use control sequences.
  package func write(_ lines: [StyledText], color: Bool) throws(OutputError) {
    for line in lines { try write(line.rendered(color: color) + "\n") }
  }
}

/// The output could not be written.
package struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operating system's `errno`.
  package let code: Int32

  /// The file that was to be written; nil for the standard output.
  package let file: String?

  /// Makes an error from the operating system's `errno`.
  package init(code: Int32, file: String? = nil) { (self.code, self.file) = (code, file) }

  /// The code the program ends with.
  package var exitCode: ExitCode { .cannotWrite }

  /// The text for standard error, ending in a line break.
  package var description: String {
    let reason = String(cString: strerror(code))
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
  private let systemWrite: SystemWrite

  /// A file to write.
  ///
  /// - Parameters:
  ///   - path: the file to write. A link is followed; one that points to nothing is replaced by the
  ///     new file. Anything else, such as a pipe, is written to directly.
  ///   - systemWrite: the call that writes.
  package init(_ path: String, systemWrite: @escaping SystemWrite = SystemCalls.write) {
    (self.path, self.systemWrite) = (path, systemWrite)
  }

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
    let target = SystemCalls.realPath(path) ?? path
    switch SystemCalls.mode(of: target) {
    case let mode? where mode & S_IFMT == S_IFDIR: throw error(EISDIR)
    case let mode? where mode & S_IFMT != S_IFREG: try pour(text, into: target)
    case let mode: try replace(target, with: text, mode: mode.map { $0 & 0o7777 })
    }
  }

  private func pour(_ text: ContiguousArray<UInt8>, into device: String) throws(OutputError) {
    let descriptor = open(device, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(errno) }
    defer { close(descriptor) }
    try put(text, descriptor)
  }

  private func replace(
    _ target: String, with text: ContiguousArray<UInt8>, mode: mode_t?
  ) throws(OutputError) {
    let (descriptor, temporary) = try create(in: Self.folder(of: target), mode: mode)
    do throws(OutputError) {
      try fill(descriptor, with: text, mode: mode)
      guard rename(temporary, target) == 0 else { throw error(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Makes an empty file beside the one to write. The system takes from its permissions what the
  /// process's mask forbids.
  private func create(
    in folder: String, mode: mode_t?
  ) throws(OutputError) -> (descriptor: Int32, path: String) {
    var path = ""
    for _ in 0..<100 {
      path = folder + ".memlab-" + String(UInt64.random(in: 0...(.max)), radix: 36)
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
      let descriptor = open(path, flags, mode ?? 0o666)
      if descriptor >= 0 { return (descriptor, path) }
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
    do {
      try Output(descriptor: descriptor, systemWrite: systemWrite).write(bytes: text)
    } catch {
      throw self.error(error.code)
    }
  }

  private func error(_ code: Int32) -> OutputError { OutputError(code: code, file: path) }
}

extension WholeFile {
  /// The folder that a path leads to, with its slash; empty for the current one.
  private static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }
}

/// The codes memlab ends with.
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// Everything was measured as declared, a leak shown on purpose included; also help and version.
  case success = 0

  /// Something was measured otherwise: an unexpected leak, a leak that is missing, a wrong count.
  case unexpected = 1

  /// Bad usage: an unknown scenario or option, or nothing selected; nothing was run.
  case usage = 64

  /// A program that cannot be watched, or a file that is no snapshot.
  case unfit = 65

  /// memlab can't be trusted here: witnesses disagree, the self-check failed, or a timeout.
  case untrusted = 70

  /// The output could not be written.
  case cannotWrite = 74
}

/// An error that says which code the program ends with.
package protocol ErrorWithExitCode: Error {
  /// The code to end with.
  var exitCode: ExitCode { get }
}

/// Values as JSON whose first key is the version of the schema.
package enum VersionedJSON {
  /// A value with the schema's version as its first key and all others sorted, so that equal
  /// measurements are equal bytes.
  package static func text(of value: some Encodable, schema: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let body = String(decoding: try encoder.encode(value), as: UTF8.self)
    return "{\n  \"schema\" : \"\(schema)\"," + body.dropFirst()
  }
}
