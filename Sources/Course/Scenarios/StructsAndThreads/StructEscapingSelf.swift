import MemlabKit

extension Scenario {
  /// `struct-escaping-self`: [self] in a mutating method.
  static let structEscapingSelf = Scenario(
    id: "struct-escaping-self", title: "[self] in a mutating method", document: .structsAndThreads,
    place: "its first section", lesson: "06-a-struct-is-not-a-lock",
    question: "A closure captures a struct, or a part of it, and then the struct changes. Does "
      + "the closure see the old contents or the new ones?",
    hint: "[self] copies the struct when the closure is made. What is in the copy?",
    beliefs: [
      .nobody(
        "A struct has no reference count, so people assume that it cannot be part of a cycle.")
    ], next: "struct-shared-reference", endings: [answered, unanswered, captured, inside, variable])

  private typealias Code = StructEscapingSelf

  private static let answered = Ending(
    "answered", "the list changes, and then the answer comes",
    expects: network(.clean, inList: 2, seen: 0),
    explanation: "The closure has a copy of the list from the moment when it was created, and "
      + "that copy was empty. Later changes to the list do not change the copy."
  ) { lab in try play(on: lab, load: { $0?.load() }, answer: true) }
  .claiming(
    "the properties of the captured self do not change, even if those of the instance do",
    original: "클로저에서 캡처하고 있는 `self`는 생성시점만 캡처하고 있기 때문에 이 `self`의 프로퍼티는 변하지 않는다"
  ) { $0.metric("itemsInList") == 2 && $0.metric("itemsSeen") == 0 }
  .asking(
    "A struct's closure says [self] and waits for an answer. Two items are put into the struct "
      + "while it waits. How many does the closure see?")

  private static let unanswered = Ending(
    "unanswered", "the list changes, and no answer comes",
    expects: network(.leak, heldBy: .field("completion", of: "Network"), inList: 2),
    explanation: "The copy in the closure holds what the list holds: the network, which holds the "
      + "closure. A struct has no retain count, but it can be part of a cycle."
  ) { lab in try play(on: lab, load: { $0?.load() }, answer: false) }
  .claiming(
    "each value is its own copy, so memory is easier to manage",
    original: "값타입인 구조체는 각각 고유한 복사본이기 때문에 메모리 측면에서 관리하기가 더 쉽다",
    failsBecause: "the copy holds the same network as the original, and nothing in the code shows "
      + "this extra owner"
  ) { $0.object("Network").alive == 0 }
  .asking(
    "A struct's closure says [self] and waits for an answer that never comes. A struct has no "
      + "reference count: is anything left?")

  private static let captured = Ending(
    "captured", "the closure captures the items alone, and no answer comes",
    expects: network(.clean, inList: 2),
    explanation: "[items] copies an array of strings, and no network. There is no cycle."
  ) { lab in try play(on: lab, load: { $0?.loadCapturingItems() }, answer: false) }
  .asking("The closure captures the items and not self, and no answer comes. Is anything left now?")

  private static let inside = Ending(
    "inside", "a closure that does not escape changes the list",
    expects: network(.clean, inList: 4),
    explanation: "A closure that does not escape works on self itself, as the method does. Its "
      + "appends change the list."
  ) { lab in try play(on: lab, load: { $0?.loadFromCache() }, answer: false) }
  .claiming(
    "a non-escaping closure does not refer to self; it is the same as copying",
    original: "이때는 참조하는 것이 아니라 복사하는 것과 같다",
    failsBecause: "two items are appended in the closure, and the list has them"
  ) { $0.metric("itemsInList") == 2 }

  private static let variable = Ending(
    "variable", "the closure is made outside of the struct, over a variable",
    expects: network(.clean, inList: 4),
    explanation: "If an escaping closure captures a var, the compiler moves it to the heap, and "
      + "the closure refers to it. It cannot do so with self and inout parameters, which belong "
      + "to the caller."
  ) { lab in
    @Variable("network") var network: Code.Network?
    @Variable("list") var list: Code.ItemList?
    try create(_list, _network, on: lab)
    try lab.step("a closure over the variable waits for an answer") {
      network?.fetch { items in list?.items += items }
    }
    try change(_list, on: lab)
    try lab.step("the answer comes") { network?.answer(["bread", "milk"]) }
    try drop(_list, _network, on: lab)
  }
  .claiming(
    "an escaping closure cannot refer to a value type",
    original: "escaping closure에서는 값타입을 참조를 하지 못하지",
    failsBecause: "the answer appends to the caller's own variable"
  ) { $0.metric("itemsInList") == 2 }

  private static func play(on lab: Lab, load: (inout Code.ItemList?) -> Void, answer: Bool) throws {
    @Variable("network") var network: Code.Network?
    @Variable("list") var list: Code.ItemList?
    try create(_list, _network, on: lab)
    try lab.step("the list loads") { load(&list) }
    try change(_list, on: lab)
    if answer { try lab.step("the answer comes") { network?.answer([]) } }
    try drop(_list, _network, on: lab)
  }

  private static func create(
    _ list: Variable<Code.ItemList?>, _ network: Variable<Code.Network?>, on lab: Lab
  ) throws {
    try lab.step("a list is created") {
      network.wrappedValue = Code.Network()
      list.wrappedValue = network.wrappedValue.map { Code.ItemList(network: $0) }
    }
  }

  private static func change(_ list: Variable<Code.ItemList?>, on lab: Lab) throws {
    try lab.step("two items are put into the list") {
      for item in ["eggs", "tea"] {
        list.wrappedValue?.items.append(item)
        lab.ledger.note("items added:")
      }
    }
  }

  private static func drop(
    _ list: Variable<Code.ItemList?>, _ network: Variable<Code.Network?>, on lab: Lab
  ) throws {
    lab.ledger.setMetric("itemsInList", list.wrappedValue?.items.count ?? 0)
    try lab.release("the list and the network are dropped") {
      (list.wrappedValue, network.wrappedValue) = (nil, nil)
    }
  }

  private static func network(
    _ verdict: Verdict, heldBy holder: DeclaredHolder? = nil, inList: Int, seen: Int? = nil
  ) -> Declaration {
    .one(verdict, ["Network": holder], metrics: ["itemsInList": inList, "itemsSeen": seen])
  }
}

/// The document describes this code, and shows the compiler's error as a picture.
enum StructEscapingSelf {
  /// A network that answers when the stage tells it to.
  class Network {
    private var completion: (([String]) -> Void)?
    private let probe = Probe(Network.self)

    /// Stores a closure that waits for the answer.
    func fetch(_ completion: @escaping ([String]) -> Void) {
      self.completion = completion
      Ledger.current?.note("closures stored:")
    }

    /// Calls a closure at once.
    func cached(_ body: ([String]) -> Void) {
      body(["bread", "milk"])
      Ledger.current?.note("closures called:")
    }

    /// Calls and releases the stored closure.
    func answer(_ items: [String]) {
      Ledger.current?.note("closures called:")
      completion?(items)
      completion = nil
    }
  }

  // snippet:code
  struct ItemList {
    var items: [String] = []
    let network: Network

    mutating func load() {
      network.fetch { [self] _ in
        print("itemsSeen:", items.count)
      }
    }

    mutating func loadCapturingItems() {
      network.fetch { [items] _ in
        print("itemsSeen:", items.count)
      }
    }

    mutating func loadFromCache() {
      network.cached { items += $0 }
    }
  }
  // snippet:end
}

/// Makes a figure of the report from what the list's closures print.
private func print(_ name: String, _ count: Int) {
  Ledger.current?.setMetric(Metric(rawValue: String(name.dropLast())), count)
}
