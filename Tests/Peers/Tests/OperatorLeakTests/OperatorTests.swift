import AsyncAlgorithms
import LeakCheck
import Testing

@Suite("The operators of swift-async-algorithms, through the life cycles of a consumer")
struct OperatorTests {
  @Test("nothing is left", arguments: Operator.all, LifeCycle.allCases)
  func clean(subject: Operator, cycle: LifeCycle) async {
    if cycle == .brokenOff, subject.isBuffer { return }
    await expectNoLeaksOfManyLives { await subject.live(cycle) }
  }

  @Test("nothing is left of a timer", arguments: [LifeCycle.cancelled, .brokenOff, .neverRead])
  func timer(cycle: LifeCycle) async {
    await expectNoLeaksOfManyLives { await Operator.timer.live(cycle) }
  }

  // https://github.com/apple/swift-async-algorithms/pull/352
  @Test("broken off, buffer's task waits forever", arguments: Operator.buffers)
  func buffer(policy: Operator) async {
    await knownLeak(
      "the iterator of buffer() does not tell its task when it goes",
      naming: ["a task created in startTask()"]
    ) { await expectNoLeaks { await policy.live(.brokenOff) } }
  }

  // Its `Failure` is that of the outer sequence, `Never`, to which the inner one's error is cast.
  @Test("joined() of sequences that can fail, in one that cannot, crashes") func joined() async {
    await #expect(processExitsWith: .failure) {
      await LifeCycle.fails.live {
        [AsyncThrowingStream<Int, any Error> { $0.finish(throwing: CancellationError()) }].async
          .joined()
      }
    }
  }
}
