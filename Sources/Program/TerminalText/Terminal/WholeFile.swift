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
    self.path = path
    self.systemWrite = systemWrite
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
    let target = Self.destination(of: path)
    switch Self.mode(of: target) {
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
  /// Where a path leads when links are followed; the path itself where nothing is there yet.
  private static func destination(of path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// The kind and permissions of what is there; nil where nothing is.
  private static func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode : nil
  }

  /// The folder that a path leads to, with its slash; empty for the current one.
  private static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? ""
  }
}
