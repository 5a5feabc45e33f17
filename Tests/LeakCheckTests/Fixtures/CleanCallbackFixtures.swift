@preconcurrency import Dispatch
import Foundation
import LeakCheck
import Synchronization
import Testing

/// What calls back later, and then lets go.
extension CleanFixtures {
  @Test func timerFires() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .milliseconds(3))
        timer.setEventHandler {
          clock.time = 1
          timer.cancel()
        }
        timer.resume()
      }
    }
  }

  @Test func timerResumes() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        Task {
          await withUnsafeContinuation { continuation in
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + .milliseconds(6))
            timer.setEventHandler {
              timer.cancel()
              continuation.resume()
            }
            timer.resume()
          }
          clock.time = 1
        }
      }
    }
  }

  @Test func timerCancelled() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let timer = DispatchSource.makeTimerSource()
        timer.schedule(deadline: .now() + .seconds(600), repeating: .seconds(600))
        timer.setEventHandler { clock.time = 1 }
        timer.setCancelHandler { clock.time = 2 }
        timer.resume()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(3)) { timer.cancel() }
      }
    }
  }

  @Test func workItemFires() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let item = DispatchWorkItem { clock.time = 1 }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5), execute: item)
      }
    }
  }

  @Test func workItemCancelled() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let item = DispatchWorkItem { clock.time = 1 }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(5), execute: item)
        item.cancel()
      }
    }
  }

  @Test func groupNotifies() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let group = DispatchGroup()
        group.enter()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(4)) { group.leave() }
        Task {
          await withUnsafeContinuation { continuation in
            group.notify(queue: .global()) { continuation.resume() }
          }
          clock.time = 1
        }
      }
    }
  }

  @Test func observerRemoved() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let token = NotificationCenter.default.addObserver(
          forName: Notification.Name("tick"), object: nil, queue: nil
        ) { _ in clock.time += 1 }
        NotificationCenter.default.post(name: Notification.Name("tick"), object: nil)
        nonisolated(unsafe) let observer = token
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(2)) {
          NotificationCenter.default.removeObserver(observer)
        }
      }
    }
  }

  @Test func closureClearsItself() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let clock = watch(Clock())
        let partner = watch(Clock())
        (clock.partner, partner.partner) = (partner, clock)
        clock.later = {
          partner.later = nil
          clock.later = nil
          clock.partner = nil
        }
        Task {
          await withUnsafeContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(7)) {
              clock.finish()
              continuation.resume()
            }
          }
        }
      }
    }
  }

  @Test func weakDelegate() async {
    for _ in 0..<Self.rounds {
      await expectNoLeaks {
        let (screen, table) = (watch(Page()), watch(Rows()))
        (screen.table, table.delegate) = (table, screen)
        Task {
          try? await Task.sleep(for: .milliseconds(1))
          table.tell(screen.title)
        }
      }
    }
  }

  // What a C library has been told is an address, for which no reference is counted.
  @Test func addressInGlobal() async {
    for _ in 0..<Self.rounds / 10 + 1 {
      await expectNoLeaks {
        let runner = watch(Runner())
        runner.keepItself()
        Task { await runner.run() }
        callback.withLock { $0 = UInt(bitPattern: Unmanaged.passUnretained(runner).toOpaque()) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(150)) {
          let address = callback.withLock { $0.take() }
          address.flatMap(UnsafeRawPointer.init(bitPattern:)).map {
            Unmanaged<Runner>.fromOpaque($0).takeUnretainedValue().letGo()
          }
        }
      }
    }
  }
}

private let callback = Mutex<UInt?>(nil)

private final class Page: @unchecked Sendable {
  var table: Rows?
  lazy var title: () -> String = { [weak self] in self == nil ? "gone" : "here" }
}

private final class Rows: @unchecked Sendable {
  weak var delegate: Page?
  func tell(_ title: () -> String) { _ = delegate?.title() == title() }
}
