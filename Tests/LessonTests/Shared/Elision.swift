/// Lines of which some are left out: a line `…` stands for any number of lines.
struct Elision {
  /// The lines that are shown, with an elision between each two of them.
  private let parts: [[String]]

  /// Reads the lines of a transcript.
  init(_ lines: [String]) {
    parts = lines.split(omittingEmptySubsequences: false) { $0.trimmed == "…" }.map(Array.init)
  }

  /// Whether the lines could have been shortened to what is shown.
  func matches(_ lines: [String]) -> Bool {
    parts.count == 1 ? parts[0] == lines : places(in: lines, isExact: true) != nil
  }

  /// What is shown of other lines, left out in the same places; nil if the places are gone.
  ///
  /// The first and the last part keep their length; one between them is found by its first line.
  func shortened(_ lines: [String]) -> [String]? {
    if parts.count == 1 { return lines }
    return places(in: lines, isExact: false).map { places in
      Array(places.map { Array(lines[$0]) }.joined(separator: ["…"]))
    }
  }

  /// Where each part is, in order and without overlaps, each as early as possible.
  private func places(in lines: [String], isExact: Bool) -> [Range<Int>]? {
    var places: [Range<Int>] = []
    for (index, part) in parts.enumerated() {
      let isAnchored = index == 0 || index == parts.count - 1
      let starts = starts(of: index, from: places.last?.upperBound ?? 0, count: lines.count)
      let start = starts.first { start in
        part.elementsEqual(lines[start..<(start + part.count)])
          || (!isExact && (isAnchored || part.first == lines[start]))
      }
      guard let start else { return nil }
      places.append(start..<(start + part.count))
    }
    return places
  }

  /// The indices at which a part of so many lines may begin; the first and the last have one.
  private func starts(of index: Int, from: Int, count: Int) -> Range<Int> {
    let latest = count - parts[parts.count - 1].count
    if index == 0 { return 0..<(parts[0].count <= count ? 1 : 0) }
    if index == parts.count - 1 { return from <= latest ? latest..<(latest + 1) : 0..<0 }
    return from..<max(from, latest - parts[index].count + 1)
  }
}
