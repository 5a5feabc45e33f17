import MemlabKit
import MemlabPatterns

extension Scenario {
  /// `strong-map-table`: a table that holds what it is given.
  static let strongMapTable = Scenario(
    id: "strong-map-table", title: "a table that holds what it is given",
    document: .reactorDisposeBag, place: "before its WeakMapTable",
    lesson: "05-reactors-and-weak-tables",
    question: "A static table has a value for each object. The last variable that refers to an "
      + "object goes out of scope. What happens to its value?",
    hint: "Who removes an entry? And what does the allocator do with an address that is free?",
    beliefs: [
      .nobody("The key's last variable is gone, and people assume that the entry goes with it."),
      .cycle("What stays alive without a variable is called a cycle."),
    ], next: "weak-map-table-lazy", fixedBy: "weak-map-table",
    code: ["Course/Patterns/ReactorKit/StrongMapTable.swift#code"],
    endings: [
      Ending(
        "held-key", "the table holds its keys, and the key is dropped",
        expects: .one(.leak, ["Key": .table, "Value": .table], metrics: ["valuesWithoutKey": 1]),
        explanation: "The table lives as long as the process and holds both. The dropped key is "
          + "not deinitialised.",
        on: { MapTableStage($0, holdingKeys: true) },
        steps: { [$0.store, $0.dropKey] }),
      Ending(
        "address", "the table knows its keys by address, and an address is used again",
        expects: .several(
          .leak, ["Key": (2, 2), "Value": (1, 0)],
          metrics: ["valuesWithoutKey": 1, "addressesReused": 1, "valuesInherited": 1],
          held: ["Value": .table]),
        explanation: "The key is deinitialised, but its value stays. The next object of that size "
          + "gets the same address, and with it a value that belonged to another object.",
        on: { MapTableStage($0, holdingKeys: false) }, steps: { [$0.store, $0.reuseAddress] }
      )
      .asking(
        "The table identifies an object by its address. The object is deinitialised, and another "
          + "one gets its address. What value does the table have for it?"),
    ])
}

extension MapTableStage {
  fileprivate convenience init(_ lab: Lab, holdingKeys: Bool) {
    self.init(lab, StrongMapTable<Key, Value>(holdsKeys: holdingKeys)) { table, key in
      // snippet:code
      table.value(forKey: key, default: Value())
      // snippet:end
    }
  }
}

extension DeclaredHolder {
  fileprivate static let table = field("entries", of: "StrongMapTable")
}
