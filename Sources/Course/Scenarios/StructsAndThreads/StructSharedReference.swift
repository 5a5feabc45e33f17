import MemlabKit

extension Scenario {
  /// `struct-shared-reference`: a let struct that holds an object.
  static let structSharedReference = Scenario(
    id: "struct-shared-reference", title: "a let struct that holds an object",
    document: .structsAndThreads, place: "ValueType and ReferenceType",
    lesson: "06-a-struct-is-not-a-lock",
    question: "The struct is a let, and it holds an object. How many letters does the object's "
      + "name have in the end?",
    hint: "What did the copy copy?",
    beliefs: [.variable("Each copy of the struct refers to the object.")],
    next: "struct-lock", fixedBy: "struct-lock",
    endings: [
      Ending(
        "let", "one thread changes the name through a let",
        expects: .names(.clean, writers: 1, lost: 0, length: 3),
        explanation: "let makes the struct's contents constant: a string and a reference. The "
          + "object that the reference points to is not part of the struct."
      ) { lab in
        try StructSharedReference.play(on: lab, writers: 1, "one thread changes the name") {
          $0.referenceType.name = "Tom"
        }
      }
      .claiming(
        "an object in a struct makes the inside of the struct mutable",
        original: "구조체 안에 참조타입을 넣게되면 구조체 내부에서 변경가능성을 제공하게 된다"
      ) { $0.metric("nameLength") == 3 }
      .claiming(
        "a struct that is not declared with var cannot be changed",
        original: "구조체는 var로 선언하지 않으면 인스턴스를 변경시킬 수 없게하는 특별한 규칙이 있다",
        failsBecause: "the rule does not cover the object behind a reference: Test has become Tom"
      ) { $0.metric("nameLength") == 4 }
      .asking(
        "The struct is a let. One thread changes the name in the object that it holds. Can it?"),
      Ending(
        "shared", "ten threads append to the name through the same let",
        expects: .names(.race, writers: 10, lost: 9, length: 4),
        explanation: "All ten read Tom, and all ten write Tom!, so one of ten letters is left."
      ) { lab in
        try StructSharedReference.play(on: lab, writers: 10, "ten threads append to the name") {
          $0.referenceType.name += "!"
        }
      }
      .claiming(
        "a struct is not always thread-safe", original: "구조체는 반드시 thread-safe하지는 않다는 것을 알 수 있다"
      ) { $0.metric(.lostUpdates) > 0 }
      .claiming(
        "the value can be different in every run, because it is a race condition",
        original: "실행할때마다 값이 변경될 수 있는 race condition상황에 놓일 수 있게 되는 것이다"
      ) { $0.metric(.lostUpdates) > 0 }
      .asking(
        "Ten threads each append a letter to the name in the object that the struct holds. How "
          + "many letters are added in the end?"),
      Ending(
        "copied", "each thread makes a copy first, and appends to the copy's name",
        expects: .names(.race, writers: 10, lost: 9, length: 4),
        explanation: "var copy = valueType copies the reference. Eleven structs hold one object. "
          + "Copying fixed the race on the point, but it does not help here."
      ) { lab in
        try StructSharedReference.play(on: lab, writers: 10, "ten threads append to a copy's name")
        {
          var copy = $0
          StructSharedReference.append("!", to: &copy)
        }
      }
      .claiming(
        "a struct is its own copy, so only one thread at a time can manage it",
        original: "구조체는 고유한 복사본이기 때문에 여러 상황에서 한번에 하나의 스레드만 관리할 수 있다",
        failsBecause: "the copies are separate, but they all hold the same object"
      ) { $0.metric(.lostUpdates) == 0 }
      .asking(
        "Each of ten threads copies the struct, and appends a letter to the name in the object "
          + "that the copy holds. How many letters are added in the end?"),
    ])
}

extension Declaration {
  /// The counts of one object with a name that grows.
  static func names(_ verdict: Verdict, writers: Int, lost: Int, length: Int) -> Declaration {
    .one(
      verdict, ["ReferenceType": nil],
      metrics: ["writers": writers, .lostUpdates: lost, "nameLength": length])
  }
}

/// The document's example.
enum StructSharedReference {
  // snippet:code
  struct ValueType {
    let name: String
    let referenceType: ReferenceType
  }

  class ReferenceType {
    @Held var name: String
    private let probe = Probe(ReferenceType.self)

    init(name: String, writers: Int) {
      _name = Held(name, writers: writers)
    }
  }
  // snippet:end

  fileprivate static func append(_ letter: String, to value: inout ValueType) {
    value.referenceType.name += letter
  }

  /// Runs a change on one thread for each writer: one makes Tom of Test, ten add a letter each to Tom.
  fileprivate static func play(
    on lab: Lab, writers: Int, _ what: String, _ change: @escaping (ValueType) -> Void
  ) throws {
    @Variable("kenny") var kenny: ValueType?
    try lab.step("a struct with an object is created") {
      let object = ReferenceType(name: writers == 1 ? "Test" : "Tom", writers: writers)
      kenny = ValueType(name: "Kenny", referenceType: object)
    }
    try lab.onThreads(writers, what, with: kenny!, noting: "names written:", change)
    let measured = kenny?.referenceType.name.count ?? 0
    let length = writers == 1 ? 3 : 3 + writers
    lab.ledger.setMetrics([
      "writers": writers, .lostUpdates: length - measured, "nameLength": measured,
    ])
    try lab.release("the struct is dropped") { kenny = nil }
  }
}
