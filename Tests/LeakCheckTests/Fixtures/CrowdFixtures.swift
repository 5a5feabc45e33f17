import LeakCheck
import Testing

/// Two hundred tests at the same time, of which every twentieth leaks in a way of its own.
@Suite("Crowd", .enabled(if: Fixture.isOn)) struct CrowdFixtures {
  @Test(.noLeaks, arguments: 0..<200) func crowd(number: Int) async {
    let member = watch(Member(number: number))
    member.start(name: "member \(number)")
    for _ in 0..<number % 7 { await Task.yield() }
    if number % 20 != 7 { member.stop() }
  }
}

/// Has a task that waits for it.
final class Member: @unchecked Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
  private var sum: Int

  init(number: Int) { sum = number }

  func start(name: String) {
    Task(name: name) { [stream] in for await value in stream { self.sum += value } }
  }

  func stop() { continuation.finish() }
}
