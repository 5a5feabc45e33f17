import Foundation

/// The table of rooms and the products of `Package.swift`, read as text: SwiftPM would need seconds.
struct Manifest {
  /// A line of the table: `Wing/Folder settings: folders of what it imports`.
  struct Room {
    /// The folder of `Sources`.
    let wing: String
    /// The folder of the wing.
    let folder: String
    /// The modules that it may import.
    let imports: Set<String>
    /// The module that it becomes.
    var name: String { Room.module(folder) }
    /// Where its files are, from the package's folder.
    var path: String { "Sources/\(wing)/\(folder)" }
    /// Whether it is C code.
    var isC: Bool { folder.hasPrefix("CMemlab") }

    /// A name that another package may have gets a prefix.
    static func module(_ folder: String) -> String {
      ["Memlab", "CMemlab", "LeakCheck"].contains(where: folder.hasPrefix)
        ? folder : "Memlab" + folder
    }
  }

  /// The rooms, in the order of the table.
  let rooms: [Room]
  /// The modules of the products.
  let products: [String]
  /// The plugins.
  let plugins: [String]

  /// Reads a manifest as `swift format` writes it.
  init(_ code: String) {
    let table = code.firstMatch(of: /(?s)let rooms = """\n(.*?)"""/).map(\.1) ?? ""
    rooms = table.matches(of: /(?m)^ *(\w+)\/(\w+)[^:\n]*:(.*)$/).map { row in
      Room(
        wing: String(row.1), folder: String(row.2),
        imports: Set(row.3.split(separator: " ").map { Room.module(String($0)) }))
    }
    products = code.matches(of: /targets: \[("[^\]]*)\]/).flatMap { list in
      list.1.matches(of: /"(\w+)"/).map { String($0.1) }
    }
    plugins = code.matches(of: /\.plugin\(name: "(\w+)", capability/).map { String($0.1) }
  }
}

/// The modules that Swift code imports.
func imports(of code: String) -> Set<String> {
  let lines = code.components(separatedBy: "\n").filter { $0.contains("import ") }
  return Set(
    lines.compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"),
        words[..<place].allSatisfy({ word in
          word.hasPrefix("@") || ["public", "package", "internal", "private"].contains(word)
        })
      else { return nil }
      let kinds: Set = ["class", "struct", "enum", "func", "var", "let", "protocol", "typealias"]
      return words[(place + 1)...].first { !kinds.contains(String($0)) }
        .map { String($0.prefix { $0 != "." }) }
    })
}
