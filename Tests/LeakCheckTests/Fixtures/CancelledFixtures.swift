import LeakCheck
import Synchronization
import Testing

/// What bodies of these tests register, and take back unless they are cancelled.
final class Ticket: Sendable {
  let number: Int
  init(_ number: Int = 0) { self.number = number }
}

/// Keeps tickets.
final class TicketOffice: Sendable {
  static let shared = TicketOffice()
  private let tickets = Mutex<[ObjectIdentifier: Ticket]>([:])
  private let waiters = Mutex<[CheckedContinuation<Void, Never>]>([])

  /// A new ticket, which is watched and kept.
  func issue(_ number: Int = 0, line: Int = #line) -> Ticket {
    let ticket = watch(Ticket(number), line: line)
    add(ticket)
    return ticket
  }

  func add(_ ticket: Ticket) { tickets.withLock { $0[ObjectIdentifier(ticket)] = ticket } }
  func remove(_ ticket: Ticket) { tickets.withLock { $0[ObjectIdentifier(ticket)] = nil } }
  func keep(_ waiter: CheckedContinuation<Void, Never>) { waiters.withLock { $0.append(waiter) } }
}

/// Waits for a timer; throws when it is cancelled. On a busy machine, one that fires sooner may do so
/// before anybody waits for it.
func pause(_ milliseconds: Int = 50) async throws {
  try await Task.sleep(for: .milliseconds(milliseconds))
}

/// Has requests that it forgets when they end, but not when they are cancelled.
private actor Loader {
  private var inFlight: [String: Ticket] = [:]

  func load(_ key: String) async throws -> Int {
    inFlight[key] = watch(Ticket())
    try await pause()
    try await pause()
    inFlight[key] = nil
    return 1
  }

  func loadTidily(_ key: String) async throws -> Int {
    inFlight[key] = watch(Ticket())
    defer { inFlight[key] = nil }
    try await pause()
    try await pause()
    return 1
  }
}

private let loader = Loader()

/// Two objects that hold each other until somebody cuts one of the references.
private final class Partner: @unchecked Sendable { var other: Partner? }

@MainActor private final class Window {
  private var handler: (() -> Void)?

  // Works for a while, so that the check finds it on the main actor and not yet back again.
  func appear() async throws {
    handler = { self.handler = nil }
    let end = ContinuousClock.now + .milliseconds(20)
    while ContinuousClock.now < end {}
    try await pause()
    handler = nil
  }

  func appearTidily() async throws {
    handler = { self.handler = nil }
    defer { handler = nil }
    try await pause()
  }
}

/// Bodies that leave nothing behind when they end, and something when they are cancelled.
@Suite("Leaking when cancelled", .enabled(if: Fixture.isOn)) struct CancelledFixtures {
  @Test func actorKeepsRequest() async {
    await expectNoLeaks(cancelling: .atEachSuspension) { _ = try? await loader.load("a") }
  }

  @Test func registryKeepsTicket() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      try await pause()
      let ticket = TicketOffice.shared.issue()
      try await pause()
      TicketOffice.shared.remove(ticket)
    }
  }

  @Test func childInAGroup() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...2 {
          group.addTask {
            let ticket = TicketOffice.shared.issue(number)
            try await pause()
            TicketOffice.shared.remove(ticket)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test func asyncLetChild() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      async let result = loader.load("b")
      _ = try await result
    }
  }

  @Test func ringThatIsCutAtTheEnd() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let (first, second) = (watch(Partner()), Partner())
      (first.other, second.other) = (second, first)
      try await pause()
      first.other = nil
    }
  }

  @Test func consumerOfAStream() async {
    await expectNoLeaks(cancelling: .atEachSuspension) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let ticket = TicketOffice.shared.issue()
      onQueue(after: 50) { continuation.yield(1) }
      for await value in stream where value == 1 {
        TicketOffice.shared.remove(ticket)
        break
      }
    }
  }

  @Test func workerThatIsNotCancelled() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let runner = Runner()
      let worker = Task(name: "worker") { await runner.run() }
      try await pause()
      runner.stop()
      await worker.value
    }
  }

  @Test func onlyJustAfterTheWait() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      try await pause()
      let ticket = TicketOffice.shared.issue()
      try Task.checkCancellation()
      TicketOffice.shared.remove(ticket)
    }
  }

  @Test func onlyWhenCancelledBefore() async {
    await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = TicketOffice.shared.issue()
      if Task.isCancelled { return }
      TicketOffice.shared.remove(ticket)
    }
  }

  @Test func yields() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      try Task.checkCancellation()
      let ticket = TicketOffice.shared.issue()
      await Task.yield()
      try Task.checkCancellation()
      TicketOffice.shared.remove(ticket)
    }
  }

  @MainActor @Test func onMainActor() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) { try await watch(Window()).appear() }
  }

  @Test(.leakChecked(cancelling: .atEachSuspension)) func byTrait() async throws {
    let ticket = TicketOffice.shared.issue()
    try await pause()
    TicketOffice.shared.remove(ticket)
  }

  @Test(.leakChecked(cancelling: .atEachSuspension), arguments: [1, 2])
  func ofACase(number: Int) async throws {
    let ticket = TicketOffice.shared.issue(number)
    try await pause()
    if number == 1 || !Task.isCancelled { TicketOffice.shared.remove(ticket) }
  }

  @Test func plainLeakIsToldOnce() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      TicketOffice.shared.add(watch(Ticket()))
      try await pause()
    }
  }

  @Test(.leakChecked(cancelling: .at(3))) func oneAgain() async throws {
    _ = try await loader.load("c")
  }

  /// Uses the same actor as the others meanwhile.
  @Test(.noLeaks) func bystander() async throws {
    for _ in 0..<50 {
      #expect(try await loader.loadTidily("f") == 1)
      #expect(!Task.isCancelled)
    }
  }
}

/// Resumes what waits in a body when its check has ended.
private struct Later: TestTrait, TestScoping {
  static let waiters = Mutex<[CheckedContinuation<Void, Never>]?>([])

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await function()
    for waiter in Self.waiters.withLock({ $0.take() }) ?? [] { waiter.resume() }
    await resumed(after: 500)
  }
}

/// Bodies that do not end when they are cancelled.
@Suite("Hanging when cancelled", .enabled(if: Fixture.isOn)) struct HangingFixtures {
  /// Resumes the waiter unless it was cancelled meanwhile; then only when its check has ended, if at all.
  private static func request(resumesLater: Bool = false) async {
    let isCancelled = Atomic(false)
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        TicketOffice.shared.keep(continuation)
        onQueue(after: 50) {
          if !isCancelled.load(ordering: .relaxed) { return continuation.resume() }
          if resumesLater { Later.waiters.withLock { $0?.append(continuation) } }
        }
      }
    } onCancel: {
      isCancelled.store(true, ordering: .relaxed)
    }
  }

  @Test func inAFunction() async {
    await expectNoLeaks(cancelling: .atEachSuspension, within: .milliseconds(300)) {
      let ticket = watch(Ticket())
      await Self.request()
      TicketOffice.shared.remove(ticket)
    }
  }

  @Test(Later(), .leakChecked(cancelling: .atEachSuspension, within: .milliseconds(300)))
  func inATest() async {
    await Self.request(resumesLater: true)
    if Later.waiters.withLock({ $0 == nil }) { fatalError("a body goes on after its check") }
  }

  @MainActor @Test(.leakChecked(cancelling: .atEachSuspension, within: .milliseconds(300)))
  func onMainActor() async {
    await Self.request()
    await MainActor.run {}
  }

  @Test func afterwards() async { await expectNoLeaks { watch(Ticket()) } }

  /// Lets one in at a time, and forgets to let the next one in when one is cancelled.
  private actor Turnstile {
    private var isFree = true
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func enter() async {
      if !isFree { await withCheckedContinuation { waiters.append($0) } }
      isFree = false
    }

    func leave() { if waiters.isEmpty { isFree = true } else { waiters.removeFirst().resume() } }
  }

  @Test func nextRunWaits() async throws {
    let turnstile = Turnstile()
    try await expectNoLeaks(cancelling: .atEachSuspension, within: .milliseconds(300)) {
      await turnstile.enter()
      try await pause()
      await turnstile.leave()
    }
  }
}

/// Bodies that leave nothing behind, wherever they are cancelled.
@Suite("Clean when cancelled", .enabled(if: Fixture.isOn)) struct CleanCancelledFixtures {
  @Test func tidyActor() async {
    await expectNoLeaks(cancelling: .atEachSuspension) { _ = try? await loader.loadTidily("d") }
  }

  @Test func expectation() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let result = try? await loader.loadTidily("e")
      #expect(result == 1)
      try #require(result == 1)
    }
  }

  @Test func group() async throws {
    let sum = Mutex(0)
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = watch(Ticket(1))
      let total = try await withThrowingTaskGroup(of: Int.self) { group in
        for pause in 1...3 {
          group.addTask {
            try await LeakCheckTests.pause(pause)
            return ticket.number
          }
        }
        return try await group.reduce(0, +)
      }
      sum.withLock { $0 += total }
    }
    #expect(sum.withLock { $0 } >= 3)
  }

  @Test func asyncLet() async {
    await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = watch(Ticket(2))
      async let first = { [ticket] in
        try? await pause()
        return ticket.number
      }()
      async let second = resumed(after: 2)
      _ = await (first, second)
    }
  }

  @Test func deferred() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = TicketOffice.shared.issue()
      defer { TicketOffice.shared.remove(ticket) }
      try await pause()
      await Task.yield()
      try await pause()
    }
  }

  @Test func stream() async {
    await expectNoLeaks(cancelling: .atEachSuspension) {
      let (stream, continuation) = AsyncStream.makeStream(of: Ticket.self)
      let source = Task {
        for number in 0..<3 {
          continuation.yield(watch(Ticket(number)))
          try? await pause()
        }
        continuation.finish()
      }
      for await _ in stream {}
      source.cancel()
    }
  }

  @MainActor @Test func tidyWindow() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      try await watch(Window()).appearTidily()
    }
  }

  @Test func cleansUpLater() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = TicketOffice.shared.issue()
      defer { onQueue(after: 40) { TicketOffice.shared.remove(ticket) } }
      try await pause()
    }
  }

  @Test func doesNotHearOfIt() async {
    await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = TicketOffice.shared.issue()
      await resumed(after: 80)
      TicketOffice.shared.remove(ticket)
    }
  }

  @Test func differsFromRunToRun() async throws {
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = TicketOffice.shared.issue()
      defer { TicketOffice.shared.remove(ticket) }
      for _ in 0..<Int.random(in: 1...6) { try await pause(Int.random(in: 0...1)) }
    }
  }

  @Test func leaksInOneRunOnly() async throws {
    let runs = Atomic(0)
    try await expectNoLeaks(cancelling: .atEachSuspension) {
      let ticket = watch(Ticket())
      if runs.wrappingAdd(1, ordering: .relaxed).newValue == 3 { TicketOffice.shared.add(ticket) }
      try await pause()
      try await pause()
    }
  }

  @Test(.leakChecked(cancelling: .atEachSuspension)) func byTrait() async throws {
    let ticket = watch(Ticket())
    try await pause()
    withExtendedLifetime(ticket) {}
  }

  @Test func nothingToCancel() async { await expectNoLeaks(cancelling: .atEachSuspension) {} }
}

/// A suite whose trait is that of each of its tests.
@Suite("Suite", .enabled(if: Fixture.isOn), .leakChecked(cancelling: .atEachSuspension))
struct CancelledSuiteFixtures {
  @Test func leaks() async throws {
    let ticket = TicketOffice.shared.issue()
    try await pause()
    TicketOffice.shared.remove(ticket)
  }

  @Test func clean() async throws { try await pause() }
}

/// Places that a check cannot cancel at, and too many of them.
@Suite("Places", .enabled(if: Fixture.isOn)) struct CancellationPointFixtures {
  // A timer may have fired before the body waits for it, and then it does not suspend.
  private static func twice() async {
    await Task.yield()
    await Task.yield()
  }

  @Test func limitOfNothing() async {
    await expectNoLeaks(cancelling: .atEachSuspension(limit: 0)) { await Self.twice() }
  }

  @Test func noNumber() async { await expectNoLeaks(cancelling: .at(0)) { await Self.twice() } }

  @Test(.leakChecked(cancelling: .at(99))) func noSuchPlace() async { await Self.twice() }

  @Test func tooMany() async {
    let runs = Atomic(0)
    await expectNoLeaks(cancelling: .atEachSuspension(limit: 4)) {
      runs.add(1, ordering: .relaxed)
      for _ in 0..<40 { await Task.yield() }
    }
    // Once plainly, at four places, and before it begins.
    #expect(runs.load(ordering: .relaxed) == 6)
  }

  @Test func throwsWhatItThrows() async {
    struct Refusal: Error {}
    await #expect(throws: Refusal.self) {
      try await expectNoLeaks(cancelling: .atEachSuspension) {
        try await pause()
        throw Refusal()
      }
    }
  }
}
