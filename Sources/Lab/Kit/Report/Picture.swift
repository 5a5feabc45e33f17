package import MemlabHeapModel

/// Everything that holds the objects under study at one moment, and the proof that it is everything.
package struct Picture: Sendable {
  /// An object under study.
  package struct Object: Sendable {
    /// The name of its class.
    package let type: String
    /// Its name in the picture: the class, with a number where there are several.
    package let name: String
    /// Who holds it, each once.
    package let holders: [Holder]
    /// The strong references to it. They are balanced: a trial with a picture that leaves out a
    /// holder is refused.
    package let account: RetainAccount
  }

  /// The objects, the oldest of each type first.
  package private(set) var objects: [Object]
  /// The same as nodes and arrows, with closures, tasks and variables on the way.
  package let graph: OwnershipGraph

  /// A picture of these objects.
  init(objects: [Object], graph: OwnershipGraph) {
    (self.objects, self.graph) = (objects, graph)
  }

  /// A picture of what was found.
  init(of map: HolderMap, named names: PictureNames) {
    graph = OwnershipGraph(map, named: names)
    objects = map.places.indices.compactMap { index in
      let place = map.places[index]
      return place.account.map { account in
        Object(
          type: TypeName.short(place.node.name), name: names[place],
          holders: map.holders(of: index), account: account)
      }
    }
  }

  /// Who holds the objects, type by type.
  package var types: [HeldType] {
    objects.reduce(into: []) { types, object in
      let new = HeldType(type: object.type, holders: object.holders)
      guard let index = types.firstIndex(where: { $0.type == object.type }) else {
        types.append(new)
        return
      }
      types[index] = types[index].joined(with: new)
    }
  }

  /// The same with the objects in the order of these types.
  func ordered(by types: [String]) -> Picture {
    var picture = self
    picture.objects = types.flatMap { type in objects.filter { $0.type == type } }
    return picture
  }
}

/// Who holds the objects of one type.
package struct HeldType: Codable, Sendable, Equatable {
  /// The type.
  package let type: String
  /// The holders, each once.
  package let holders: [Holder]

  fileprivate func joined(with other: HeldType) -> HeldType {
    HeldType(type: type, holders: (holders + other.holders).uniqued())
  }
}
