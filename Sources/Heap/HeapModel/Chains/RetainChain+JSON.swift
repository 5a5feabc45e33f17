// The form of a chain in `memlab.report/1`. Names are as they are in the chain; what the form does
// not have is nil, zero or unknown in a chain that is read from it.

extension RetainChain.Root: Codable {
  private enum CodingKeys: String, CodingKey { case kind, name, suspendedIn, frames }

  /// Reads a root of a report.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(Kind.self, forKey: .kind)
    let block: HeapNode.Kind =
      switch kind {
      case .task: .block(.task)
      case .global: .global
      case .stack: .stack
      case .variable: .variable
      case .cycle, .unknown: .block(.memory)
      }
    node = HeapNode(kind: block, name: try values.decode(String.self, forKey: .name))
    suspendedIn = try values.decodeIfPresent(String.self, forKey: .suspendedIn)
    frames = try values.decode([HeapFrame].self, forKey: .frames)
  }

  /// Writes `kind`, `name`, `suspendedIn` and `frames`.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(node.name, forKey: .name)
    try values.encodeIfPresent(suspendedIn, forKey: .suspendedIn)
    try values.encode(frames, forKey: .frames)
  }
}

extension RetainChain.Link: Codable {
  private enum CodingKeys: String, CodingKey { case kind, name, to, isObject }

  /// Reads a link of a report.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    kind = try values.decode(Kind.self, forKey: .kind)
    name = try values.decodeIfPresent(String.self, forKey: .name)
    let isObject = try values.decode(Bool.self, forKey: .isObject)
    target = HeapNode(
      kind: .block(isObject ? .instance : .memory),
      name: try values.decode(String.self, forKey: .to))
  }

  /// Writes `kind`, `name`, `to` and `isObject`. A capture has no name in the language.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encodeIfPresent(kind == .capture ? nil : name, forKey: .name)
    try values.encode(target.name, forKey: .to)
    try values.encode(target.isObject, forKey: .isObject)
  }
}
