import MemlabKit
import MemlabPatterns

extension Scenario {
  /// `weak-map-table`: a table whose values go with their keys.
  static let weakMapTable = Scenario(
    id: "weak-map-table", title: "a table whose values go with their keys",
    document: .reactorDisposeBag, place: "WeakMapTable", lesson: "05-reactors-and-weak-tables",
    question: "The table does not hold the key, and pure Swift has no associated objects. How can "
      + "the value be released at the same moment as the key?",
    hint: "What does every object release when it is deinitialised?",
    beliefs: [.global("The table is a static variable, and holds its values strongly.")],
    next: "reactor-dispose-bag",
    code: ["Course/Patterns/ReactorKit/WeakMapTable.swift#code"],
    endings: [
      Ending(
        "drop", "the key is dropped, and nobody uses the table again",
        expects: .one(.clean, ["Key": nil, "Value": nil], metrics: ["valuesWithoutKey": 0]),
        explanation: "The key stores a hook. The hook is deinitialised with the key, and its "
          + "deinit removes the value from the table.",
        on: table
      ) { [$0.store, $0.dropKey] }
      .claiming(
        "when the key object is deallocated, the value object is, too",
        original: "키 객체가 메모리 할당 해제되면 값 객체 역시 메모리에서 할당 해제된다"
      ) { $0.metric("valuesWithoutKey") == 0 }
      .claiming(
        "WeakMapTable is built so that the value goes when the key goes",
        original: "WeakMapTable는 Key object가 사라지면 Value object도 함께 사라지게 설계됐다"
      ) { $0.object("Value").alive == 0 },
      Ending(
        "address", "the key is dropped, and another one gets its address",
        expects: .several(
          .clean, ["Key": (2, 2), "Value": (2, 2)],
          metrics: ["valuesWithoutKey": 0, "addressesReused": 1, "valuesInherited": 0]),
        explanation: "The table identifies a key by the serial number of its hook, and never uses "
          + "a number twice. The second key gets its own value.",
        on: table
      ) { [$0.store, $0.reuseAddress] },
    ])

  private static func table(_ lab: Lab) -> MapTableStage {
    MapTableStage(lab, WeakMapTable()) { $0.value(forKey: $1, default: .init()) }
  }
}
