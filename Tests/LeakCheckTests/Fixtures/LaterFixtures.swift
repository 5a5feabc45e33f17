import Foundation
import LeakCheck
import Synchronization
import Testing

/// What a library makes once and uses for all is older than every check but the first.
@Suite("Later checks", .enabled(if: Fixture.isOn), .serialized) struct LaterFixtures {
  @Test(arguments: ["child process", "run loop", "POSIX timer", "thread of a pool"], 1...3)
  func goesOn(work: String, check: Int) async throws {
    try await expectNoLeaks {
      Shelf.shared.keep(watch(Resource()), as: check)
      switch work {
      case "child process":
        let child = Process()
        (child.executableURL, child.arguments) = (URL(fileURLWithPath: "/bin/sleep"), ["0.7"])
        child.terminationHandler = { _ in Shelf.shared.remove(check) }
        try child.run()
      case "run loop":
        Thread.detachNewThread {
          RunLoop.current.perform {}
          _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.7))
          Shelf.shared.remove(check)
        }
      case "POSIX timer":
        var (event, timer, time) = (sigevent(), timer_t(bitPattern: 1), itimerspec())
        (event.sigev_notify, event.sigev_value.sival_int) = (CInt(SIGEV_THREAD), CInt(check))
        event._sigev_un._sigev_thread._function = { Shelf.shared.remove(Int($0.sival_int)) }
        time.it_value.tv_nsec = 700_000_000
        timer_create(CLOCK_MONOTONIC, &event, &timer)
        timer_settime(timer, 0, &time, nil)
      default:
        Pool.shared.add {
          usleep(700_000)
          Shelf.shared.remove(check)
        }
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

  @Test(arguments: [true, false]) func taskSleeps(hasItInVariable: Bool) async {
    let (stream, source) = AsyncStream.makeStream(of: Resource.self)
    let shelf = Shelf()
    let worker = Task {
      while hasItInVariable, let resource = await stream.first(where: { _ in true }) {
        await slept(for: 900)
        withExtendedLifetime(resource) {}
      }
      while !Task.isCancelled {
        await slept(for: 900)
        shelf.remove(1)
      }
    }
    await expectNoLeaks {
      let resource = watch(Resource())
      if hasItInVariable { source.yield(resource) } else { shelf.keep(resource, as: 1) }
    }
    source.finish()
    worker.cancel()
  }

  @Test func taskGoesOn() async {
    async let _: Void = {
      try? await Task.sleep(for: .seconds(2))
      Registry.shared.continuation.yield(1)
    }()
    await expectNoLeaks { Task { for await _ in Registry.shared.stream { break } } }
  }
}

/// A task that sleeps again and again, and what it uses.
@Suite("Pollers", .enabled(if: Fixture.isOn)) struct PollerFixtures {
  @Test func sleepsAgain() async {
    let shelf = Shelf()
    let poller = Task {
      while !Task.isCancelled {
        await slept(for: 300)
        shelf.remove(0)
      }
    }
    await expectNoLeaks { shelf.keep(watch(Resource()), as: 1) }
    poller.cancel()
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
