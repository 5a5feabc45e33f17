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
  ///   - path: where it is to be; a link leads to the file that it points to, and gives way to the
  ///     new one where it points to nothing; what is no regular file, such as a pipe, is written to
  ///     as it is.
  ///   - systemWrite: the call that writes.
  package init(_ path: String, systemWrite: @escaping SystemWrite = SystemCalls.write) {
    self.path = path
    self.systemWrite = systemWrite
  }

  /// Writes the text.
  ///
  /// - Throws: `OutputError` when it cannot be written; a file that was there is still what it was.
  package func write(_ text: String) throws(OutputError) {
    let target = Self.destination(of: path)
    switch Self.mode(of: target) {
    case let mode? where mode & S_IFMT == S_IFDIR: throw error(EISDIR)
    case let mode? where mode & S_IFMT != S_IFREG: try pour(text, into: target)
    case let mode: try replace(target, with: text, mode: mode.map { $0 & 0o7777 })
    }
  }

  private func pour(_ text: String, into device: String) throws(OutputError) {
    let descriptor = open(device, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw error(errno) }
    defer { close(descriptor) }
    try put(text, descriptor)
  }

  private func replace(
    _ target: String, with text: String, mode: mode_t?
  ) throws(OutputError) {
    var name = Array((Self.folder(of: target) + ".memlab-XXXXXX").utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0 else { throw error(errno) }
    let temporary = name
    do throws(OutputError) {
      try fill(descriptor, with: text, mode: mode)
      guard rename(temporary, target) == 0 else { throw error(errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private func fill(
    _ descriptor: Int32, with text: String, mode: mode_t?
  ) throws(OutputError) {
    var isOpen = true
    defer { if isOpen { close(descriptor) } }
    try put(text, descriptor)
    guard fchmod(descriptor, mode ?? 0o666 & ~Self.mask) == 0, fsync(descriptor) == 0 else {
      throw error(errno)
    }
    isOpen = false
    guard close(descriptor) == 0 else { throw error(errno) }
  }

  private func put(_ text: String, _ descriptor: Int32) throws(OutputError) {
    do {
      try Output(descriptor: descriptor, systemWrite: systemWrite).write(text)
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

  // The mask can only be read by setting it.
  private static var mask: mode_t {
    let mask = umask(0)
    umask(mask)
    return mask
  }
}
