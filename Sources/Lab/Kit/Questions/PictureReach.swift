extension OwnershipGraph {
  /// Some places, and all that leads to them.
  func holders(of places: [Int], without cut: Int? = nil) -> Set<Int> {
    var found = Set(places)
    var queue = places
    while let place = queue.popLast() {
      for (index, edge) in edges.enumerated() where edge.to == place && index != cut {
        if found.insert(edge.from).inserted { queue.append(edge.from) }
      }
    }
    return found
  }

  /// Whether a place leads to itself.
  func isOnCycle(_ place: Int, without cut: Int? = nil) -> Bool {
    let direct = edges.indices.filter { edges[$0].to == place && $0 != cut }.map { edges[$0].from }
    return holders(of: direct, without: cut).contains(place)
  }

  /// Whether a root or a cycle leads to any of some places.
  ///
  /// - Parameter cut: the index of a reference that does not count.
  func holds(_ places: [Int], without cut: Int?) -> Bool {
    holders(of: places, without: cut).contains {
      nodes[$0].kind == .root || isOnCycle($0, without: cut)
    }
  }
}
