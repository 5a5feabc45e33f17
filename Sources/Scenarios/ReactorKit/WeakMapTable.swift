import MemlabKit
import Patterns

extension Scenario {
  static let weakMapTable = Scenario(
    id: "weak-map-table",
    title: "a table whose values go with their keys",
    document: .reactorDisposeBag,
    place: "WeakMapTable",
    lesson: "05-reactors-and-weak-tables",
    question: "The table does not hold the key, and pure Swift has no associated objects. How can "
      + "the value go at the same moment as the key?",
    hint: "What does an object release, without being asked, when it goes?",
    next: "reactor-dispose-bag",
    code: ["Patterns/ReactorKit/WeakMapTable.swift#code"],
    endings: [
      Ending(
        "drop", "the key is dropped, and nobody uses the table again",
        expects: .table(
          .clean, keys: (1, 1), values: (1, 1), metrics: ["valuesWithoutKey": 0]),
        explanation: "The key stores a hook. The hook goes with the key, and its deinit takes the "
          + "value out of the table.",
        claims: [
          Claim(
            "when the key object is deallocated, the value object is, too",
            original: "키 객체가 메모리 할당 해제되면 값 객체 역시 메모리에서 할당 해제된다"
          ) { $0.metric("valuesWithoutKey") == 0 },
          Claim(
            "WeakMapTable is built so that the value goes when the key goes",
            original: "WeakMapTable는 Key object가 사라지면 Value object도 함께 사라지게 설계됐다"
          ) { $0.object("Value").alive == 0 },
        ]
      ) { lab in
        let stage = MapTableStage(lab, WeakMapTable()) { $0.value(forKey: $1, default: .init()) }
        try stage.store()
        try stage.dropKey()
      },
      Ending(
        "address", "the key is dropped, and another one gets its address",
        expects: .table(
          .clean, keys: (2, 2), values: (2, 2),
          metrics: ["valuesWithoutKey": 0, "addressesReused": 1, "valuesInherited": 0]),
        explanation: "Keys are known by the serial number of their hook, and a number is never "
          + "given twice. The second key gets a value of its own."
      ) { lab in
        let stage = MapTableStage(lab, WeakMapTable()) { $0.value(forKey: $1, default: .init()) }
        try stage.store()
        try stage.reuseAddress()
      },
    ])
}
