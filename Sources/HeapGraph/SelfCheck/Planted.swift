import Synchronization

/// An object with every kind of reference that the self-check reads back.
final class Planted: @unchecked Sendable {
  /// A stored property.
  var partner: Planted?
  /// A weak reference.
  weak var watched: Planted?
  /// An unowned reference.
  unowned var owner: Planted?
  /// References in an array.
  var items: [Planted] = []
  /// A reference in an enum's payload.
  var payload = Payload.none
  /// References captured by a closure.
  var action: (() -> Void)?
  /// A reference in a lazy property.
  lazy var late: Planted? = Planted()

  /// A payload that takes a reference's spare bits.
  enum Payload {
    case none
    case first(Planted)
    case second(Planted)
  }

  /// Where the object is, as a number that keeps nothing alive.
  var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

/// The graph that ``HeapSelfCheck`` plants, by the addresses of its objects.
///
/// `top` holds everything but the cycle and what the task holds.
struct PlantedGraph {
  /// The object that holds the rest.
  let top = Planted()
  /// The addresses of the planted objects, by what is special about them.
  private(set) var places: [String: UInt] = [:]

  /// Plants the graph.
  init() {
    let top = top
    plantCycle()
    plant("listed") { top.items = [Planted(), $0] }
    plant("payload") { top.payload = .second($0) }
    plantCapture()
    plant("watched") {
      top.partner = $0
      top.watched = $0
      top.owner = $0
    }
    plant("late") { top.late = $0 }
  }

  private mutating func plant(_ name: String, _ use: (Planted) -> Void) {
    let object = Planted()
    places[name] = object.address
    use(object)
  }

  // Two captures: a closure over a single object needs no context, the object is used as one.
  private mutating func plantCapture() {
    let top = top
    plant("captured") { captured in
      let other = Planted()
      top.action = { withExtendedLifetime((other, captured)) {} }
    }
  }

  private mutating func plantCycle() {
    let first = Planted()
    let second = Planted()
    first.partner = second
    second.partner = first
    places["first"] = first.address
    places["second"] = second.address
  }

  /// Takes the cycle apart, so that the check leaves nothing behind.
  func breakCycle() {
    guard let address = places["first"], let pointer = UnsafeRawPointer(bitPattern: address) else {
      return
    }
    let first = Unmanaged<Planted>.fromOpaque(pointer).takeUnretainedValue()
    first.partner?.partner = nil
  }
}

/// A task that waits for a continuation and holds an object meanwhile.
struct PlantedTask {
  /// The address of the object that the task holds.
  let held: UInt
  private let task: Task<Void, Never>
  private let gate = PlantedGate()

  /// Starts the task.
  init() {
    let object = Planted()
    held = object.address
    let gate = gate
    task = Task.detached(name: "planted") {
      await withUnsafeContinuation { gate.wait($0) }
      withExtendedLifetime(object) {}
    }
  }

  private var reader: TaskReader { TaskReader(address: unsafeBitCast(task, to: UInt.self)) }

  /// Whether the task has got to its continuation and has been left by its thread.
  var isSuspended: Bool { gate.isWaitedAt && !reader.isRunning }

  /// Whether the task has returned.
  var isFinished: Bool { reader.isFinished }

  /// Lets the task return, also if it has yet to get to its continuation.
  func resume() { gate.open() }
}

/// Where the planted task waits for the thread that checks.
private final class PlantedGate: @unchecked Sendable {
  private enum State {
    case closed
    case waitedAt(UnsafeContinuation<Void, Never>)
    case open
  }

  private let state = Mutex(State.closed)

  /// Whether the task has come and waits.
  var isWaitedAt: Bool {
    state.withLock { if case .waitedAt = $0 { true } else { false } }
  }

  /// Lets the task wait until the gate is open.
  func wait(_ continuation: UnsafeContinuation<Void, Never>) {
    let isOpen = state.withLock { state in
      if case .open = state { return true }
      state = .waitedAt(continuation)
      return false
    }
    if isOpen { continuation.resume() }
  }

  /// Lets the task pass, now or when it comes.
  func open() {
    let last = state.withLock { state in
      defer { state = .open }
      return state
    }
    if case .waitedAt(let continuation) = last { continuation.resume() }
  }
}
