import HeapGraph

extension HeapReading {
  /// Who holds the live objects, type by type, in the order of the types' first creation.
  var holders: [HeldType] {
    names.compactMap { name in
      let instances = snapshot.holderPaths(to: [name])
      guard !instances.isEmpty else { return nil }
      let found = instances.flatMap { $0.map { Holder(of: $0).name } }
      return HeldType(
        type: TypeName.short(name),
        holders: found.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }
  }
}
