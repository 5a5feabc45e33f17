import Foundation
import LeakCheck
import Testing

/// What is kept in ways that are hard to name: every one of them leaks.
@Suite("Named", .enabled(if: Fixture.isOn), .serialized) struct NamedFixtures {
  @Test func successors() async {
    let poller = Poller()
    await expectNoLeaks(within: .seconds(1)) { poller.poll() }
    poller.isStopped = true
  }

  @Test(.noLeaks(within: Fixture.limit)) func methodReference() async {
    let panel = watch(Panel())
    panel.onTap = panel.handleTap
  }

  @Test(.noLeaks(within: Fixture.limit)) func twoProperties() {
    let (tapped, loaded, numbers) = (watch(Panel()), watch(Panel()), [1])
    let (upper, lower) = (watch(Panel()), watch(Panel()))
    (upper.above, lower.below) = ([upper], [lower, lower])
    tapped.onTap = { _ = tapped.label(for: numbers[0]) }
    loaded.onLoad = { _ = loaded.label(for: numbers[0]) }
  }

  @Test(.noLeaks(within: Fixture.limit)) func rawPointerInADictionary() {
    Backends.pointers["panel"] = Unmanaged.passRetained(watch(Panel())).toOpaque()
  }

  @Test(.noLeaks(within: Fixture.limit)) func contextOfAFunctionOfC() {
    let context = Unmanaged.passRetained(watch(Panel())).toOpaque()
    Backends.callbacks.append(Callback(function: { _ in }, context: context))
  }

  @Test(.noLeaks(within: Fixture.limit)) func ownPointer() {
    let handle = watch(Handle())
    handle.own.pointer = Unmanaged.passRetained(handle).toOpaque()
  }

  @Test(.noLeaks(within: Fixture.limit)) func structureInAProperty() {
    Backends.window.state.panel = watch(Panel())
  }

  @Test(.noLeaks(within: Fixture.limit)) func elementOfABuffer() {
    let buffer = ManagedBuffer<Int, Panel>.create(minimumCapacity: 4) { _ in 1 }
    let panel = watch(Panel())
    buffer.withUnsafeMutablePointerToElements { $0.initialize(to: panel) }
    Backends.buffer = buffer
  }

  @Test(.noLeaks(within: Fixture.limit)) func groupThatWasEntered() {
    let (group, panel) = (DispatchGroup(), watch(Panel()))
    group.enter()
    group.notify(queue: .global()) { panel.handleTap() }
  }

  @Test(.noLeaks(within: Fixture.limit)) func autoclosure() {
    let panel = watch(Panel())
    Backends.keep(panel)
  }

  @Test(.noLeaks(within: Fixture.limit)) func waitsForATask() async {
    let panel = watch(Panel())
    let inner = Task(name: "inner") { for await _ in Backends.endless {} }
    Task(name: "outer") {
      await inner.value
      panel.handleTap()
    }
  }

  @Test(.noLeaks(within: Fixture.limit)) func seven() {
    for _ in 0..<7 { Backends.panels.append(watch(Panel())) }
  }

  @Test(.noLeaks(within: Fixture.limit)) func linkedBothWays() {
    let panels = [watch(Panel()), Panel(), Panel()]
    for place in 0..<3 {
      panels[place].next = panels[(place + 1) % 3]
      panels[place].previous = panels[(place + 2) % 3]
    }
    panels[0].onTap = { [clock = watch(Clock())] in _ = clock }
  }

  @Test(.noLeaks(within: Fixture.limit)) func treeWithParents() {
    let root = watch(Panel())
    root.below = [Panel(), Panel()]
    for child in root.below { child.next = root }
  }

  @Test(.noLeaks(within: Fixture.limit)) func closureInARing() {
    let (older, panel) = (Panel(), watch(Panel()))
    panel.next = older
    older.onTap = { _ = panel }
  }

  @Test(.noLeaks(within: Fixture.limit)) func cancelledInVain() async {
    Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }.cancel()
  }

  @Test(.noLeaks(within: Fixture.limit)) func operationInAQueue() {
    let panel = watch(Panel())
    Backends.operations.isSuspended = true
    Backends.operations.addOperation { panel.handleTap() }
  }

  @Test(.noLeaks(within: Fixture.limit)) func longList() {
    for _ in 0..<99_999 { Backends.list = Chapter(next: Backends.list) }
    Backends.list = watch(Chapter(next: Backends.list))
  }

  @Test(.noLeaks(within: Fixture.limit)) func asyncMethodReference() async {
    let panel = watch(Panel())
    panel.onLoad = panel.load
  }

  @Test(.noLeaks(within: Fixture.limit)) func methodReferenceInAnOperator() async {
    let panel = watch(Panel())
    let labels = AsyncStream<Int> { _ in }.map(panel.label)
    _ = Task { for await _ in labels {} }
  }

  @Test func closureInABox() async {
    await expectNoLeaks(within: Fixture.limit) { watch(Panel()).provide() }
    Backends.handlers = []
  }

  @Test(.noLeaks(within: Fixture.limit)) func wordsThatAreNoReferences() async {
    let panel = watch(Panel())
    for _ in 0..<2 {
      Backends.words.append(~UInt(bitPattern: Unmanaged.passRetained(panel).toOpaque()))
    }
  }

  @Test(.noLeaks(within: Fixture.limit)) func valuesOfATaskLocal() async {
    Backends.$baggage.withValue(["panel": watch(Panel())]) {
      _ = Task { for await _ in Backends.endless {} }
    }
  }

  @Test func isCalledMuchLater() async {
    await expectNoLeaks(patience: .seconds(4)) { onQueue(after: 999_999, watch(Panel()).handleTap) }
  }

  @Test func sourceOfASignal() async {
    await expectNoLeaks(within: .milliseconds(300)) {
      let (panel, source) = (watch(Panel()), DispatchSource.makeSignalSource(signal: SIGUSR2))
      source.setEventHandler { withExtendedLifetime(source, panel.handleTap) }
      source.resume()
    }
  }

  @Test func blockOfAQueueThatWaits() async {
    await expectNoLeaks(within: .seconds(1)) {
      Backends.panels.append(watch(Panel()))
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { Panel().wait(after: continuation.resume) }
      }
    }
    Backends.panels = []
  }

  @Test func threadOfAQueuesThread() async {
    await expectNoLeaks(within: .milliseconds(300)) {
      let panel = watch(Panel())
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          Thread.detachNewThread { panel.wait(after: continuation.resume) }
        }
      }
    }
  }
}

final class Poller: @unchecked Sendable {
  nonisolated(unsafe) var isStopped = false
  nonisolated(unsafe) var last = {}

  func poll() {
    guard !isStopped else { return last() }
    Task {
      try? await Task.sleep(for: .milliseconds(3))
      self.poll()
    }
  }
}

private final class Panel: @unchecked Sendable {
  var onTap: (() -> Void)?
  var onLoad: (() async -> Void)?
  var (next, previous): (Panel?, Panel?)
  var (above, below): ([Panel], [Panel]) = ([], [])
  private var taps = 0

  @inline(never) func handleTap() { taps += 1 }

  @inline(never) func load() async { taps += 1 }

  @inline(never) func label(for number: Int) -> String { "\(taps + number)" }

  func provide() { Backends.handlers.append(Handler(title: "panel") { self.taps }) }

  func wait(after begin: () -> Void) {
    begin()
    DispatchSemaphore(value: 0).wait()
    taps += 1
  }
}

// Of another type, as far as the compiler knows: it does not take such a list apart in a loop.
private final class Chapter {
  let next: AnyObject?

  init(next: Chapter?) { self.next = next }
}

private final class Window: @unchecked Sendable {
  struct State { var panel: Panel? }
  var state = State()

  @inline(never) static func made() -> Window { Window() }
}

/// What a library in C calls, and what it hands over then.
private struct Callback {
  var function: @convention(c) (UnsafeMutableRawPointer?) -> Void
  var context: UnsafeMutableRawPointer?
}

private final class Handle: @unchecked Sendable {
  struct Own { var (number, pointer): (Int32, UnsafeMutableRawPointer?) = (7, nil) }
  var own = Own()
}

private protocol TapHandler {
  var title: String { get }
  var count: () -> Int { get }
}

// Too large for the place that a value has where its type is not known: it gets a box.
private struct Handler: TapHandler {
  var title: String
  var subtitle = "none"
  var count: () -> Int

  init(title: String, count: @escaping () -> Int) { (self.title, self.count) = (title, count) }
}

private enum Backends {
  nonisolated(unsafe) static var handlers: [any TapHandler] = []
  nonisolated(unsafe) static var words: [UInt] = []
  nonisolated(unsafe) static var panels: [Panel] = []
  nonisolated(unsafe) static var list: Chapter?
  nonisolated(unsafe) static var pointers: [String: UnsafeMutableRawPointer] = [:]
  nonisolated(unsafe) static var callbacks: [Callback] = []
  nonisolated(unsafe) static var buffer: ManagedBuffer<Int, Panel>?
  nonisolated(unsafe) static var shown: (() -> Panel)?
  // Optimised code has what it can make before the program begins in the program itself.
  static let window = Window.made()
  static let operations = OperationQueue()

  static func keep(_ panel: @autoclosure @escaping () -> Panel) { shown = panel }
  @TaskLocal static var baggage: [String: Panel] = [:]
  static let (endless, continuation) = AsyncStream.makeStream(of: Int.self)
}
