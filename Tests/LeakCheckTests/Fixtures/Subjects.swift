import Dispatch
import LeakCheck
import Synchronization

/// Feeds itself from a stream.
final class Forwarder: @unchecked Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  private var last = 0
  private var task: Task<Void, Never>?
  private(set) var isRunning = false

  func start() {
    task = Task(name: "forwarder") { [stream] in for await value in stream { self.last = value } }
  }

  func startWithGuard() {
    task = Task { [weak self, stream] in
      guard let self else { return }
      isRunning = true
      for await value in stream { self.last = value }
    }
  }

  func startWeakly() {
    task = Task { [weak self, stream] in
      for await value in stream { self?.last = value }
    }
  }

  func stop() { continuation.finish() }
  func cancel() { task?.cancel() }
  func end() async { await task?.value }
  deinit { continuation.finish() }
}

/// Runs until somebody says so.
final class Runner: Sendable {
  private struct State {
    var waiter: CheckedContinuation<Void, Never>?
    var isStopped = false
    var myself: Runner?
  }

  private let state = Mutex(State())

  var isWaiting: Bool { state.withLock { $0.waiter != nil } }

  func run() async {
    await withCheckedContinuation { continuation in
      let isStopped = state.withLock { state in
        state.waiter = continuation
        return state.isStopped
      }
      if isStopped { stop() }
    }
  }

  func stop() {
    state.withLock { state in
      state.isStopped = true
      return state.waiter.take()
    }?.resume()
  }

  func keepItself() { state.withLock { $0.myself = self } }

  func letGo() {
    state.withLock { $0.myself = nil }
    stop()
  }
}

/// Loads nothing, and does not answer unless it is told to.
final class Request: @unchecked Sendable {
  private var waiter: UnsafeContinuation<Void, Never>?

  // Named in a declaration, so it must be there in optimised code too.
  @inline(never) func load() async { await withUnsafeContinuation { waiter = $0 } }

  /// Ends the wait.
  func answer() { waiter?.resume() }
}

/// Has a time, set by a subscription.
final class Clock: @unchecked Sendable {
  var time = 0
  var subscription: Subscription?
  var later: (() -> Void)?
  var partner: Clock?

  /// One that holds itself.
  static func ring() -> Clock {
    let clock = Clock()
    clock.partner = clock
    return clock
  }

  /// Ends its own cycle.
  func finish() { later?() }
}

/// Calls a closure.
final class Subscription {
  private let receive: (Int) -> Void
  init(_ receive: @escaping (Int) -> Void) { self.receive = receive }
  func send(_ value: Int) { receive(value) }
}

/// Lives as long as the process.
final class Registry: @unchecked Sendable {
  static let shared = Registry()
  var entries: [Clock] = []
  var table: [Int: Clock] = [:]
  weak var visitor: Clock?
  var call: UnsafeMutablePointer<UInt>?
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
}

/// What a global variable keeps, a long way behind it.
final class Archive: @unchecked Sendable {
  static let shared = Archive()
  // Not known when the program is compiled, or all of this would be part of it.
  private let shelves = CommandLine.arguments.map { _ in Shelf() }
  var box: Box { shelves[0].boxes[0] }

  private final class Shelf { let boxes = [Box()] }
  final class Box: @unchecked Sendable { var content: Clock? }
}

/// What is known when the program is compiled.
final class Constant: Sendable {
  static let shared = Constant()
  let figure = 1
}

/// Hands over a clock that holds itself.
func watchRing() { watch(Clock.ring()) }

/// Leaves a clock behind that nobody is told of. With -O, a ring that nobody looks at does not exist: no
/// object is made for it.
///
/// - Parameters:
///   - isWanted: whether it holds itself.
///   - note: is given it.
@_optimize(none) func leaveRing(if isWanted: Bool = true, _ note: (Clock) -> Void = { _ in }) {
  let clock = Clock()
  if isWanted { clock.partner = clock }
  note(clock)
}

/// Calls a closure later, on a thread of a queue.
func onQueue(after milliseconds: Int, _ body: @escaping @Sendable () -> Void) {
  DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: body)
}

/// Waits until it is resumed by a call of ``onQueue(after:_:)``, and returns the same number.
@discardableResult func resumed(after milliseconds: Int) async -> Int {
  await withUnsafeContinuation { continuation in
    onQueue(after: milliseconds) { continuation.resume(returning: milliseconds) }
  }
}

/// Sleeps, and returns the same number.
@discardableResult func slept(for milliseconds: Int) async -> Int {
  try? await Task.sleep(for: .milliseconds(milliseconds))
  return milliseconds
}

/// Runs a body while another task, which belongs to no check, waits with an object in a variable.
func whileInUse(_ object: some AnyObject & Sendable, _ body: () async -> Void) async {
  let (hours, closing) = AsyncStream.makeStream(of: Never.self)
  let (arrivals, door) = AsyncStream.makeStream(of: Void.self)
  let visitor = Task.detached { await visit(object, door, until: hours) }
  for await _ in arrivals { break }
  await body()
  closing.finish()
  await visitor.value
}

private func visit(
  _ object: some AnyObject, _ door: AsyncStream<Void>.Continuation, until hours: AsyncStream<Never>
) async {
  door.yield()
  for await _ in hours {}
  withExtendedLifetime(object) {}
}
