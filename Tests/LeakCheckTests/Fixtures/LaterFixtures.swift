import Dispatch
import Foundation
import LeakCheck
import Synchronization
import Testing

/// What a library makes once and uses for all is older than every check but the first.
@Suite("Later checks", .enabled(if: Fixture.isOn), .serialized) struct LaterFixtures {
  @Test(arguments: 1...3) func childProcessEnds(check: Int) async throws {
    try await expectNoLeaks {
      Shelf.shared.keep(watch(Resource()), as: check)
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/bin/sleep")
      child.arguments = ["0.7"]
      child.terminationHandler = { _ in Shelf.shared.remove(check) }
      try child.run()
    }
  }

  @Test(arguments: 1...3) func threadOfAPoolGoesOn(check: Int) async {
    await expectNoLeaks {
      Shelf.shared.keep(watch(Resource()), as: check)
      Pool.shared.add {
        usleep(700_000)
        Shelf.shared.remove(check)
      }
    }
  }
}

/// What resumes a task of the body is older than the body, and nothing else runs.
@Suite("Older services", .enabled(if: Fixture.isOn), .serialized) struct OlderFixtures {
  @Test func queueGoesOn() async {
    let next = Registry.shared.continuation
    DispatchQueue.global().asyncAfter(deadline: .now() + 2) { next.yield(1) }
    await expectNoLeaks { Task { for await _ in Registry.shared.stream { break } } }
  }

  @Test func taskGoesOn() async {
    async let _: Void = {
      try? await Task.sleep(for: .seconds(2))
      Registry.shared.continuation.yield(1)
    }()
    await expectNoLeaks { Task { for await _ in Registry.shared.stream { break } } }
  }
}

private final class Resource: Sendable {}

/// A global dictionary.
private final class Shelf: Sendable {
  static let shared = Shelf()
  private let kept = Mutex<[Int: Resource]>([:])

  func keep(_ resource: Resource, as number: Int) { kept.withLock { $0[number] = resource } }
  func remove(_ number: Int) { kept.withLock { $0[number] = nil } }
}

/// One thread, which is made for the first job and waits for others.
private final class Pool: Sendable {
  static let shared = Pool()
  private let jobs = Mutex<[@Sendable () -> Void]>([])
  private let count = DispatchSemaphore(value: 0)

  private init() {
    Thread.detachNewThread { [self] in
      while true {
        count.wait()
        jobs.withLock { $0.removeFirst() }()
      }
    }
  }

  func add(_ job: @escaping @Sendable () -> Void) {
    jobs.withLock { $0.append(job) }
    count.signal()
  }
}
