/// A repository whose stream never ends by itself.
final class Repo: @unchecked Sendable {
  var continuation: AsyncStream<Int>.Continuation?
  var changes: AsyncStream<Int> { AsyncStream { continuation = $0 } }
}

/// The first step of the course: a task that forwards a stream and captures `self`.
final class UseCase: @unchecked Sendable {
  let repo: Repo
  init(repo: Repo) { self.repo = repo }

  lazy var changes: AsyncStream<Int> = AsyncStream { [self] continuation in
    Task(name: "forwarder") { for await value in self.repo.changes { continuation.yield(value) } }
  }
}

/// Something that runs forever, as a leak does.
final class Runner: @unchecked Sendable {
  var continuation: UnsafeContinuation<Void, Never>?
  var rounds = 0

  func run() async {
    await withUnsafeContinuation { continuation = $0 }
    rounds += 1
  }
}

/// What a subscription returns; it holds the subscriber's closure.
final class Cancellable {
  let action: () -> Void
  init(_ action: @escaping () -> Void) { self.action = action }
}

/// An owner that stores a cancellable whose closure captures the owner.
final class Screen {
  var subscription: Cancellable?
  var refreshes = 0
  func subscribe() { subscription = Cancellable { self.refreshes += 1 } }
}

/// An object with all kinds of references.
class Base { var inherited: Leaf? }

final class Holder: Base {
  var direct: Leaf?
  weak var weakly: Leaf?
  unowned(unsafe) var unsafely: Leaf?
  unowned var unownedly: Leaf?
  var list: [Leaf] = []
  var table: [String: Leaf] = [:]
  var either = Either.nothing
  var any: Any?
  var closure: (() -> Void)?
  lazy var later: Leaf? = Leaf()

  enum Either {
    case nothing
    case left(Leaf)
    case right(Leaf)
  }
}

final class Leaf: @unchecked Sendable { var value = 1 }

nonisolated(unsafe) var globalHolder: Holder?
/// A number, which may be where an object is and holds nothing.
nonisolated(unsafe) var globalNumber: UInt = 0
