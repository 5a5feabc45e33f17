// The schema has what is left beside what it is computed from, so that a reader need not subtract.

extension ObjectCount: Encodable {
  private enum Keys: String, CodingKey {
    case type, created, deinitialized, alive
  }

  /// Writes `type`, `created`, `deinitialized` and `alive`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(type, forKey: .type)
    try container.encode(created, forKey: .created)
    try container.encode(deinitialized, forKey: .deinitialized)
    try container.encode(alive, forKey: .alive)
  }
}

extension TaskCount: Encodable {
  private enum Keys: String, CodingKey {
    case name, started, finished, live
  }

  /// Writes `name`, `started`, `finished` and `live`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    try container.encode(name, forKey: .name)
    try container.encode(started, forKey: .started)
    try container.encode(finished, forKey: .finished)
    try container.encode(live, forKey: .live)
  }
}
