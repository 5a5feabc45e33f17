package import MemlabHeapModel
package import MemlabKit

extension Listing {
  /// The line that begins the closure which another line is in: there, its captures can be changed.
  ///
  /// - Parameter place: a line in the closure, such as the one at which its task waits.
  /// - Returns: the line of the capture list or of the opening brace; nil where the listing does not
  ///   have it.
  package func closure(around place: CodeLocation) -> CodeLocation? {
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    guard place.fileName == fileName, (line..<(line + lines.count)).contains(place.line) else {
      return nil
    }
    var depth = lines[place.line - line].indentation
    for index in (0..<(place.line - line)).reversed() {
      let text = lines[index].drop { $0 == " " }
      guard !text.isEmpty, lines[index].indentation <= depth else { continue }
      let isCaptureList = text.hasPrefix("[") && text.hasSuffix(" in")
      guard isCaptureList || lines[index].indentation < depth else { continue }
      depth = lines[index].indentation
      let isBlock = Self.blocks.contains { text.hasPrefix($0) }
      if isCaptureList || !isBlock {
        return CodeLocation(file: place.file, line: line + index)
      }
    }
    return nil
  }

  // What stands before a brace that does not begin a closure.
  private static let blocks = [
    "for ", "while ", "if ", "guard ", "do ", "switch ", "case ", "default:", "repeat ", "defer ",
    "}",
  ]
}

extension Substring {
  fileprivate var indentation: Int { prefix { $0 == " " }.count }
}
