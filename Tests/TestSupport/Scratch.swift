package import Foundation

/// Places for the files of one test, below the folder for temporary files.
package enum Scratch {
  /// A place where nothing is yet. Its path is short enough for the address of a socket.
  ///
  /// - Parameter suffix: What its name ends with: `.txt`.
  package static func place(_ suffix: String = "") -> URL {
    FileManager.default.temporaryDirectory.appending(
      path: "memlab-\(UUID().uuidString.prefix(13))\(suffix)")
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
}
