import MemlabKit
import MemlabPatterns

extension Scenario {
  /// `weak-map-table-lazy`: a table that looks when it is used.
  static let weakMapTableLazy = Scenario(
    id: "weak-map-table-lazy", title: "a table that looks when it is used",
    document: .reactorDisposeBag, place: "NSMapTable, for comparison",
    lesson: "05-reactors-and-weak-tables",
    question: "The table holds its keys weakly and its values strongly. The key is deinitialised. "
      + "When is the value released?",
    hint: "A weak reference becomes nil by itself. Does anything report that?",
    beliefs: [
      .nobody("The table holds its keys weakly, and people read that as its entries."),
      .cycle("A value that refers to its key is a cycle in many a table."),
    ], next: "weak-map-table", fixedBy: "weak-map-table",
    code: ["Course/Patterns/ReactorKit/LazyWeakMapTable.swift#code"],
    endings: [
      Ending(
        "used", "the key is dropped, and the table is used again",
        expects: .one(.clean, ["Key": nil, "Value": nil], metrics: ["valuesWithoutKey": 1]),
        explanation: "The table notices that the key is gone the next time that it is used. Until "
          + "then it holds a value that belongs to nobody.",
        on: MapTableStage.lazy
      ) { [$0.store, $0.dropKey, $0.count] }
      .claiming(
        "in an NSMapTable, a value does not go with its key",
        original: "NSMapTable과의 차이점은 키 객체가 메모리 할당 해제되면 값 객체 역시 메모리에서 할당 해제된다는 데에 있다"
      ) { $0.metric("valuesWithoutKey") == 1 },
      Ending(
        "forgotten", "the key is dropped, and nobody uses the table again",
        expects: .one(
          .leak, ["Key": nil, "Value": .field("entries", of: "LazyWeakMapTable")],
          metrics: ["valuesWithoutKey": 1]),
        explanation: "The table is not used again, so it never notices. A dispose bag in such a "
          + "table would never dispose of anything.",
        on: MapTableStage.lazy
      ) { [$0.store, $0.dropKey] },
    ])
}

extension MapTableStage {
  fileprivate static func lazy(_ lab: Lab) -> MapTableStage {
    let table = LazyWeakMapTable<Key, Value>()
    return MapTableStage(
      lab, table, count: { table.count }, valueForKey: { $0.value(forKey: $1, default: .init()) })
  }
}
