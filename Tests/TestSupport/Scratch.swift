package import Foundation

/// Places for the files of one test, in a folder that goes with the process of the tests.
package enum Scratch {
  private static let room: (url: URL, owner: pid_t) = {
    let url = FileManager.default.temporaryDirectory.appending(path: "memlab-\(unique)")
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    atexit {
      // A copy of the process, as `Isolation` makes one, leaves it alone.
      guard getpid() == Scratch.room.owner else { return }
      try? FileManager.default.removeItem(at: Scratch.room.url)
    }
    return (url, getpid())
  }()

  private static var unique: Substring { UUID().uuidString.prefix(13) }

  /// A place where nothing is yet. Its path is short enough for the address of a socket.
  ///
  /// - Parameter suffix: What its name ends with: `.txt`.
  package static func place(_ suffix: String = "") -> URL {
    room.url.appending(path: "\(unique)\(suffix)")
  }

  /// A new folder at such a place.
  ///
  /// - Parameter rights: Who may enter it; nil for those who may enter any new folder.
  package static func folder(rights: Int? = nil) throws -> URL {
    let folder = place()
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true,
      attributes: rights.map { [.posixPermissions: $0] })
    return folder
  }

  /// Writes a text to a file, whose folder need not be there.
  package static func write(_ text: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
