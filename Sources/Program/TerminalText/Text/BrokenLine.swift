/// A line of code that is wider than a page, in pieces that fit.
package enum BrokenLine {
  /// The mark in place of a number where a line continues.
  package static let mark = "↳"

  /// The pieces of a line; each but the first is indented further than the line is.
  ///
  /// - Parameters:
  ///   - line: The line; it stays in one piece if it fits.
  ///   - width: The width in columns, at least 8.
  package static func pieces(of line: String, width: Int) -> [StyledText] {
    let indent = min(line.prefix { $0 == " " }.count + 4, width / 2)
    var pieces: [StyledText] = []
    var rest = SwiftCode.styled(line)
    while rest.width > width {
      let (piece, next) = rest.split(at: end(ofFirstPieceOf: rest.plain, width: width))
      pieces.append(piece)
      rest = StyledText(String(repeating: " ", count: indent)) + next
    }
    return pieces + [rest]
  }

  /// The number of characters that the first piece of a line has; the spaces after it are dropped.
  ///
  /// A line is broken where the fewest brackets are open, as a reader would break it, unless the
  /// first piece became too short.
  private static func end(ofFirstPieceOf line: String, width: Int) -> Int {
    let indent = line.prefix { $0 == " " }.count
    let gaps = gaps(in: line).filter { $0.place > indent && $0.place <= width }
    let late = gaps.filter { $0.place >= indent + (width - indent) / 3 }
    let best = late.reversed().min { $0.cost < $1.cost } ?? gaps.last
    return best?.place ?? line.fitting(width)
  }

  /// The spaces outside of strings, and what breaking the line there costs: how many brackets are
  /// open, and more after a label or an arrow, which belongs to the next word.
  private static func gaps(in line: String) -> [(place: Int, cost: Int)] {
    var (depth, isInString) = (0, false)
    var gaps: [(place: Int, cost: Int)] = []
    var before = ""
    for (place, character) in line.enumerated() {
      let isBehindSpace = before.last == " "
      switch character {
      case "\"": if before.last != "\\" { isInString.toggle() }
      case " ":
        let isBound = [":", "->", " _"].contains { before.hasSuffix($0) }
        if !isInString && !isBehindSpace { gaps.append((place, depth + (isBound ? 4 : 0))) }
      case "(", "[", "{": depth += 1
      case ")", "]", "}": depth -= 1
      case "<": depth += isBehindSpace ? 0 : 1
      case ">": depth -= isBehindSpace || before.last == "-" ? 0 : 1
      default: break
      }
      before = String(before.suffix(1)) + String(character)
    }
    return gaps
  }
}

extension String {
  /// The number of characters, at least one, that there is room for.
  fileprivate func fitting(_ width: Int) -> Int {
    var room = width
    let count = prefix { character in
      room -= character.displayWidth
      return room >= 0
    }.count
    return max(1, count)
  }
}
