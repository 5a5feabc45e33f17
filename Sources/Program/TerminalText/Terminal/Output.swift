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
    self.descriptor = descriptor
    self.systemWrite = systemWrite
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
      switch state {
      case .open: state = writeAll(text)
      case .closed, .failed: break
      }
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

/// The output could not be written.
package struct OutputError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The operating system's `errno`.
  package let code: Int32

  /// The file that was to be written; nil for the standard output.
  package let file: String?

  /// Makes an error from the operating system's `errno`.
  package init(code: Int32, file: String? = nil) {
    self.code = code
    self.file = file
  }

  /// The code the program ends with.
  package var exitCode: ExitCode { .cannotWrite }

  /// The text for standard error, ending in a line break.
  package var description: String {
    let reason = strerror(code).map { String(cString: $0) } ?? "error \(code)"
    let output = file.map { "The file \(quotedPath($0))" } ?? "The output"
    return "Error: \(output) could not be written: \(reason).\n"
  }
}
