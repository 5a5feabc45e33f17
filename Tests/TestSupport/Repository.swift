package import Foundation

/// The checkout that the tests were built from.
package enum Repository {
  /// The folder of `Package.swift`.
  package static let root: URL = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path) {
      precondition(folder.path != "/", "no Package.swift above \(#filePath)")
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  /// Whether there is a folder at a place, or a link to one.
  package static func isFolder(_ place: URL) -> Bool {
    (try? FileManager.default.contentsOfDirectory(atPath: place.path)) != nil
  }

  /// A file or folder of the checkout.
  ///
  /// - Parameter path: The path from the root: `Lessons/README.md`.
  package static func url(_ path: String) -> URL { root.appending(path: path) }

  /// The text of a file of the checkout.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: url(path), encoding: .utf8)
  }

  /// The files below a folder whose names end like this, as sorted paths from `root`; without what
  /// SwiftPM has built there.
  ///
  /// - Parameters:
  ///   - folder: The path of a folder; there are no files in one that does not exist.
  ///   - suffix: The end of the names: `.md`.
  ///   - root: The checkout, or a stand-in for it.
  package static func files(
    in folder: String, endingIn suffix: String, root: URL = Repository.root
  ) -> [String] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
    var names: [String] = []
    while let name = all?.nextObject() as? String {
      if name.split(separator: "/").last == ".build" {
        all?.skipDescendants()
      } else if name.hasSuffix(suffix) {
        names.append("\(folder)/\(name)")
      }
    }
    return names.sorted()
  }
}
