@preconcurrency import Dispatch
import Observation
import Synchronization

/// Has a stream that nobody finishes.
final class Feed: @unchecked Sendable {
  let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  var task: Task<Void, Never>?
  var last = 0
  private var isAsked = false

  @inline(never) func run() async { for await value in stream { last = value } }

  @inline(never) func nextValue() async {
    isAsked = true
    for await value in stream.prefix(1) { last = value }
  }

  func isWaiting() async { while !isAsked { await Task.yield() } }
}

/// Sends for as long as it is there.
actor Station {
  private let stream = AsyncStream<Int> { _ in }
  private var sent = 0

  func start() { Task { await send() } }
  private func send() async { for await value in stream { sent += value } }
}

/// Asks, and keeps who waits for which answer.
final class Client: Sendable {
  private let waiting = Mutex<[Int: UnsafeContinuation<Int, Never>]>([:])

  var open: Int { waiting.withLock { $0.count } }

  @inline(never) func ask(_ number: Int) async -> Int {
    await withUnsafeContinuation { continuation in
      waiting.withLock { $0[number] = continuation }
    }
  }

  func answer(_ number: Int) {
    waiting.withLock { $0.removeValue(forKey: number) }?.resume(returning: 0)
  }
}

/// Follows the latest of several sequences.
final class Latest: @unchecked Sendable {
  private var value = 0
  private var task: Task<Void, Never>?

  func follow(_ stream: AsyncStream<Int>) {
    task?.cancel()
    task = Task { for await value in stream { self.value = value } }
  }
}

/// Counts what a timer does.
final class Ticker: @unchecked Sendable {
  let timer = DispatchSource.makeTimerSource()
  var ticks = 0
}

/// Tells a delegate.
final class Session: @unchecked Sendable {
  var delegate: Screen?
}

/// Has a title that is made when it is needed.
final class Screen: @unchecked Sendable {
  var session: Session?
  private let name = "news"
  lazy var title: () -> String = { self.name }
}

/// Is told of changes of a model.
final class Tracker: @unchecked Sendable {
  @Observable final class Model { var count = 0 }

  private let model = Model()

  func track() {
    withObservationTracking {
      _ = model.count
    } onChange: { [self] in
      track()
    }
  }
}
