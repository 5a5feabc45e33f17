import LeakCheck
import Testing

/// Cycles and tasks whose way leads through what has no name of its own.
extension LeakingFixtures {
  @Test func dictionaryOfClosures() async {
    await expectNoLeaks {
      let desk = watch(Desk())
      desk.handlers["key", default: []].append { desk.count += 1 }
    }
  }

  @Test func indirectCase() async {
    await expectNoLeaks {
      let desk = watch(Desk())
      desk.papers = .pile(.none, .of(desk))
    }
  }

  @Test func errorKeepsItsSource() async {
    await expectNoLeaks {
      let desk = watch(Desk())
      desk.outcome = .failure(Refusal(desk: desk, code: 3))
    }
  }

  @Test func taskLocalValue() async {
    await expectNoLeaks {
      Desk.$current.withValue(watch(Desk())) {
        _ = Task(name: "clerk") { await Request().load() }
      }
    }
  }

  @Test func asyncLetThatNobodyAwaits() async {
    await expectNoLeaks {
      let request = watch(Request())
      Task(name: "parent") {
        async let _: Void = request.load()
        throw Refusal(desk: nil, code: 4)
      }
    }
  }
}

private final class Desk: @unchecked Sendable {
  indirect enum Papers {
    case none
    case of(Desk)
    case pile(Papers, Papers)
  }

  @TaskLocal static var current: Desk?
  var handlers: [String: [() -> Void]] = [:]
  var papers = Papers.none
  var outcome: Result<Int, any Error>?
  var count = 0
}

private struct Refusal: Error {
  let desk: Desk?
  let code: Int
}
