import MemlabPlatform

/// The folder `Lessons` of a checkout.
package struct LessonShelf {
  private let path: String
  /// The folders of the lessons, in the order of their numbers; at least one.
  package let lessons: [String]

  /// Looks above the working directory, then above the program.
  package static func find() -> LessonShelf? {
    let files = FileManager.default
    let program = try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let starts = [files.currentDirectoryPath, program ?? CommandLine.arguments[0]]
    for start in starts {
      if let shelf = above(start) { return shelf }
    }
    return nil
  }

  /// The first checkout among a folder and those that it lies in.
  private static func above(_ start: String) -> LessonShelf? {
    var parts = start.split(separator: "/")
    while true {
      let root = "/" + parts.joined(separator: "/")
      if let shelf = LessonShelf(checkout: root) { return shelf }
      if parts.popLast() == nil { return nil }
    }
  }

  /// The lessons of a checkout; nil when the folder is not one.
  private init?(checkout: String) {
    let files = FileManager.default
    path = checkout + "/Lessons"
    let folders = (try? files.contentsOfDirectory(atPath: path)) ?? []
    let path = path
    lessons = folders.filter { files.fileExists(atPath: "\(path)/\($0)/README.md") }.sorted()
    guard !lessons.isEmpty, files.fileExists(atPath: checkout + "/Sources/Lab/Kit") else {
      return nil
    }
  }

  /// A lesson's text.
  package func text(of lesson: String) throws -> String {
    try String(contentsOfFile: "\(path)/\(lesson)/README.md", encoding: .utf8)
  }

  /// A text of the checkout, such as `Documentation/Glossary.md`.
  package func document(_ file: String) throws -> String {
    try String(contentsOfFile: "\(path)/../\(file)", encoding: .utf8)
  }

  /// A lesson's title: its first line.
  package func title(of lesson: String) throws -> String {
    let first = try text(of: lesson).split(separator: "\n").first ?? ""
    return String(first.drop { $0 == "#" || $0 == " " })
  }
}
