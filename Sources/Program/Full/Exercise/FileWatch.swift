#if canImport(Glibc) || canImport(Musl)
  /// Waits until a file is saved, in whatever way an editor does that.
  ///
  /// It watches the folder: many editors write a new file and give it the old one's name. Uses
  /// `inotify(7)`, so nothing runs while it waits.
  package final class FileWatch {
    private let descriptor: Int32
    private let name: String

    /// A watch over a file, which begins now.
    ///
    /// - Throws: ``FileWatchError`` when its folder cannot be watched.
    package init(of path: String) throws(FileWatchError) {
      let parts = path.split(separator: "/")
      name = String(parts.last ?? "")
      let folder = "/" + parts.dropLast().joined(separator: "/")
      descriptor = inotify_init1(Int32(O_CLOEXEC))
      let events = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO)
      guard descriptor >= 0, inotify_add_watch(descriptor, folder, events) >= 0 else {
        throw FileWatchError(path: path)
      }
    }

    deinit { close(descriptor) }

    /// Waits until the file has been saved; several saves before the call count as one.
    ///
    /// - Returns: false when nothing can be waited for any more.
    package func waitForSave() throws -> Bool {
      var buffer = [UInt8](repeating: 0, count: 1 << 14)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        if names(in: buffer.prefix(count)).contains(name) { return true }
      }
    }

    // struct inotify_event: int wd; uint32_t mask, cookie, len; char name[len].
    private func names(in bytes: ArraySlice<UInt8>) -> [String] {
      let header = 16
      var (names, rest): ([String], ArraySlice<UInt8>) = ([], bytes)
      while rest.count >= header {
        let length = rest.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let text = rest.dropFirst(header).prefix(length).prefix { $0 != 0 }
        names.append(String(decoding: text, as: UTF8.self))
        rest = rest.dropFirst(header + length)
      }
      return names
    }
  }
#else
  /// Says that files cannot be watched here.
  package final class FileWatch {
    /// Always throws.
    package init(of path: String) throws(FileWatchError) { throw FileWatchError(path: path) }
    /// Never called, because there is no instance.
    package func waitForSave() throws -> Bool { false }
  }
#endif

/// A file cannot be watched.
package struct FileWatchError: Error, CustomStringConvertible {
  /// The file.
  package let path: String

  package var description: String {
    "'\(path)' cannot be watched here; run 'swift run memlab exercise' again after each change"
  }
}
