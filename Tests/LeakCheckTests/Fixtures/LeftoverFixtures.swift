import Glibc
import LeakCheck
import Testing

/// What leaks while memory that is in use, but not that part of it, still has its address.
extension LeakingFixtures {
  @Test func leftInSpareRoom() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      clock.partner = clock
      Registry.shared.entries.append(clock)
      Registry.shared.entries.removeLast()
    }
  }

  @Test func leftInFreeBucket() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      clock.partner = clock
      for key in 0..<8 { Registry.shared.table[key] = clock }
      for key in 0..<8 { Registry.shared.table[key] = nil }
    }
  }

  @Test func leftInSpentCall() async {
    await expectNoLeaks { leak(priority: 0xFFFF_FFFF_0000_0007) }
  }

  // The same before libdispatch has made the call.
  @Test func calledLater() async {
    await expectNoLeaks(within: .milliseconds(300)) { leak(priority: .max) }
  }

  // As SQLite does with what it allocates: its own count of bytes comes first.
  @Test func knownBehindAHeader() async {
    await expectNoLeaks {
      let clock = watch(Clock())
      let note = UnsafeMutablePointer<UInt>.allocate(capacity: 2)
      note[1] = UInt(bitPattern: Unmanaged.passUnretained(clock).toOpaque())
      clock.later = { [part = note + 1] in
        part.pointee = 0
        clock.time = 1
      }
    }
  }

  // As libdispatch notes a call on a queue that has another as its target.
  private func leak(priority: UInt) {
    let clock = watch(Clock())
    clock.partner = clock
    let call = UnsafeMutablePointer<UInt>.allocate(capacity: 8)
    let table = UInt(bitPattern: dlsym(nil, "_dispatch_main_q"))
    let address = UInt(bitPattern: Unmanaged.passUnretained(clock).toOpaque())
    for (index, word) in [table, priority, 0, .max, 0, 0, table, address].enumerated() {
      call[index] = word
    }
    Registry.shared.call = call
  }
}
