/// The texts of a format that names each by its place in a list.
struct StringTable {
  /// The texts, each once.
  private(set) var all: [String] = []
  private var places: [String: Int] = [:]

  /// A table that begins with some texts.
  init(_ first: [String] = []) { for text in first { _ = place(of: text) } }

  /// The place of a text, which is added where it is not there yet.
  mutating func place(of text: String) -> Int {
    if let known = places[text] { return known }
    places[text] = all.count
    all.append(text)
    return all.count - 1
  }
}
