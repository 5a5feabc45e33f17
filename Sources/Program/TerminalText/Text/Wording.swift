/// The names closest to what was typed, at most three: the closest first, then the shortest, then
/// by alphabet.
///
/// A name is close when few single-character edits lead to it, when it begins with what was typed,
/// or when one of its words is what was typed; case and the choice between `_` and `-` don't count.
///
/// - Parameters:
///   - typed: What was typed.
///   - names: What could have been meant.
package func nearest(to typed: String, among names: [String]) -> [String] {
  let longestWorthComparing = 64
  guard !typed.isEmpty, typed.utf8.count <= longestWorthComparing else { return [] }
  let wanted = normalized(typed)
  let ranked = Set(names).compactMap { name in
    rank(normalized(name), for: wanted).map { (rank: $0, name: name) }
  }
  guard let best = ranked.map(\.rank).min() else { return [] }
  let close = ranked.filter { $0.rank <= best + 1 }
    .sorted { ($0.rank, $0.name.count, $0.name) < ($1.rank, $1.name.count, $1.name) }
  return close.prefix(3).map(\.name)
}

private func rank(_ name: [Unicode.Scalar], for typed: [Unicode.Scalar]) -> Int? {
  let isPart = name.starts(with: typed) || name.split(separator: "-").contains(typed[...])
  if isPart, typed.count(where: { $0 != "-" }) >= 3 { return typed == name ? 0 : 1 }
  let limit = max(2, typed.count / 3)
  // The distance is never smaller than the difference of the lengths.
  guard abs(name.count - typed.count) <= limit else { return nil }
  let distance = editDistance(typed, name)
  return distance <= limit && distance < max(typed.count, name.count) ? distance : nil
}

private func normalized(_ name: String) -> [Unicode.Scalar] {
  name.lowercased().unicodeScalars.map { $0 == "_" ? "-" : $0 }
}

/// The number of insertions, deletions, replacements and swaps of neighbours between two words.
///
/// This is the Damerau-Levenshtein distance in its restricted form: no part is edited twice.
func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...right.count)
  for row in left.indices {
    var current = [row + 1]
    for column in right.indices {
      let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
      var cost = min(replaced, last[column + 1] + 1, current[column] + 1)
      if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
        cost = min(cost, beforeLast[column - 1] + 1)
      }
      current.append(cost)
    }
    (beforeLast, last) = (last, current)
  }
  return last[right.count]
}

extension String {
  /// The text, with the words that stand in braces filled in: `{program}`.
  ///
  /// - Parameter words: asked for where there are any. All commands' texts are read at each start, and few
  ///   have some.
  package func filling(_ words: @autoclosure () -> [String: String]) -> String {
    let parts = split(separator: "{", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return self }
    let words = words()
    return parts.dropFirst().reduce(String(parts[0])) { text, part in
      let name = part.prefix { $0 != "}" }
      guard name.endIndex < part.endIndex, let word = words[String(name)] else {
        return text + "{" + part
      }
      return text + word + part[name.endIndex...].dropFirst()
    }
  }
}

/// A number as lists have it: `1` becomes `01`; anything else stays as it was typed.
package func twoDigits(_ typed: String) -> String {
  typed.count == 1 && typed.allSatisfy { ("0"..."9").contains($0) } ? "0" + typed : typed
}

/// A number with this many places after the point, the same wherever it is printed.
///
/// - Parameters:
///   - value: A number that is not enormous: its digits must fit into an `Int`.
///   - places: The places, none for a whole number without a point.
package func decimal(_ value: Double, places: Int) -> String {
  let scale = repeatElement(10, count: places).reduce(1, *)
  let scaled = Int((value * Double(scale)).rounded())
  let sign = scaled < 0 ? "-" : ""
  guard places > 0 else { return "\(scaled)" }
  // With a 1 before them, so that zeros at the beginning are there.
  let digits = "\(scale + abs(scaled % scale))".dropFirst()
  return "\(sign)\(abs(scaled) / scale).\(digits)"
}

extension Array {
  /// The elements in groups of those that have the same key, in the order of the first of each.
  package func grouped<Key: Equatable>(by key: (Element) -> Key) -> [[Element]] {
    reduce(into: []) { groups, element in
      let place = groups.firstIndex { key($0[0]) == key(element) }
      if let place { groups[place].append(element) } else { groups.append([element]) }
    }
  }
}
