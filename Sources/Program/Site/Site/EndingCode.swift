import MemlabHeapModel
import MemlabKit

/// The code of a scenario's endings: the functions that its steps are in, from the checkout.
struct EndingCode {
  /// What was filmed of the scenario.
  let reel: FilmReel
  /// Where the files are.
  let shelf: LessonShelf

  /// The parts of files in which the steps begin, without the code under study; none where the
  /// checkout lacks the file.
  var parts: [FilmReel.Code] {
    let places = reel.endings.flatMap { $0.film?.moments ?? [] }.compactMap(\.step.place)
    return places.map(\.file).uniqued().flatMap { file in
      parts(of: file, at: places.filter { $0.file == file }.map(\.line))
    }
  }

  private func parts(of file: String, at lines: [Int]) -> [FilmReel.Code] {
    let name = file.split(separator: "/").last ?? ""
    guard let path = shelf.source(named: String(name)), let text = try? shelf.document(path)
    else { return [] }
    let source = SourceLines(text)
    let wanted = Set(lines.filter { !isStudied($0, of: path) }.flatMap(source.block(around:)))
    return wanted.filter { !wanted.contains($0 - 1) }.sorted().map { start in
      let end = (start...).first { !wanted.contains($0) } ?? start
      return FilmReel.Code(path: path, line: start, text: source.text(start..<end))
    }
  }

  /// Whether a line is in the code under study, which stands in a listing of its own.
  private func isStudied(_ line: Int, of path: String) -> Bool {
    reel.code.contains { code in
      let count = code.text.split(separator: "\n", omittingEmptySubsequences: false).count
      return code.path == path && (code.line..<(code.line + count)).contains(line)
    }
  }
}

/// A source file by its lines, from 1.
struct SourceLines {
  private let lines: [Substring]

  /// The lines of a file.
  init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

  /// Some lines, as they stand there.
  func text(_ range: Range<Int>) -> String { range.map { lines[$0 - 1] }.joined(separator: "\n") }

  /// The lines of the function that a line is in, or else of the statement; none if there is no such
  /// line.
  func block(around line: Int) -> ClosedRange<Int> {
    let line = min(max(1, line), lines.count)
    var start = line
    while !isFunction(start), let outer = outer(of: start) { start = outer }
    let (indent, later) = (indentation(start), (start + 1)..<max(start + 1, lines.count))
    let end = later.first { (place: Int) -> Bool in
      let line = lines[place - 1]
      guard !line.isEmpty, indentation(place) <= indent else { return false }
      return !line.contains(") {") && !line.contains(") throws {")
    }
    // A function in one line is its own end.
    let isShort = line == start || end.map { !lines[$0 - 1].contains("}") } ?? true
    return start...(isShort ? line : end ?? line)
  }

  private func isFunction(_ line: Int) -> Bool { lines[line - 1].contains("func ") }

  /// The nearest line above that is indented less, unless that begins a type.
  private func outer(of line: Int) -> Int? {
    let indent = indentation(line)
    let outer = (1..<line).reversed().first { place in
      !lines[place - 1].isEmpty && indentation(place) < indent
        || isFunction(place) && indentation(place) == indent && lines[line - 1].contains(") ")
    }
    guard let outer, indentation(outer) > 0 else { return nil }
    return outer
  }

  private func indentation(_ line: Int) -> Int { lines[line - 1].prefix { $0 == " " }.count }
}
