import MemlabKit
import Patterns

extension Scenario {
  static let weakMapTableLazy = Scenario(
    id: "weak-map-table-lazy",
    title: "a table that looks when it is used",
    document: .reactorDisposeBag,
    place: "NSMapTable, for comparison",
    lesson: "05-reactors-and-weak-tables",
    question: "The table holds its keys weakly and its values strongly. The key goes. When does "
      + "the value go?",
    hint: "A weak reference turns to nil by itself. Who is told?",
    next: "weak-map-table",
    fixedBy: "weak-map-table",
    code: ["Patterns/ReactorKit/LazyWeakMapTable.swift#code"],
    endings: [
      Ending(
        "used", "the key is dropped, and the table is used again",
        expects: .table(
          .clean, keys: (1, 1), values: (1, 1), metrics: ["valuesWithoutKey": 1]),
        explanation: "The table finds that the key has gone the next time that it looks. Until "
          + "then it holds a value that belongs to nobody.",
        claims: [
          Claim(
            "in an NSMapTable, a value does not go with its key",
            original: "NSMapTable과의 차이점은 키 객체가 메모리 할당 해제되면 값 객체 역시 메모리에서 할당 해제된다는 데에 있다"
          ) { $0.metric("valuesWithoutKey") == 1 }
        ]
      ) { lab in
        let table = LazyWeakMapTable<MapTableStage.Key, MapTableStage.Value>()
        let stage = MapTableStage(lab, table) { $0.value(forKey: $1, default: .init()) }
        try stage.store()
        try stage.dropKey()
        try stage.use("the table is asked for its count") { _ = table.count }
      },
      Ending(
        "forgotten", "the key is dropped, and nobody uses the table again",
        expects: .table(
          .leak, keys: (1, 1), values: (1, 0), metrics: ["valuesWithoutKey": 1]
        )
        .with(held: ["Value": .field("entries", of: "LazyWeakMapTable")]),
        explanation: "Nobody looks, so nobody finds out. A dispose bag in such a table would go on "
          + "holding what it should have ended."
      ) { lab in
        let table = LazyWeakMapTable<MapTableStage.Key, MapTableStage.Value>()
        let stage = MapTableStage(lab, table) { $0.value(forKey: $1, default: .init()) }
        try stage.store()
        try stage.dropKey()
      },
    ])
}
