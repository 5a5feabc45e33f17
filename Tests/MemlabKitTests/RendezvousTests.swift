import MemlabKit
import Synchronization
import TestSupport
import Testing

@Suite("A rendezvous") struct RendezvousTests {
  @Test("lets nobody pass before all have come") func holds() throws {
    let arrived = Atomic(0)
    let tooEarly = Atomic(0)
    let meeting = Rendezvous(parties: 10)
    let ending = Ending("meet", "they meet", expects: .nothing, explanation: "-") { lab in
      lab.onThreads(10) { _ in
        arrived.add(1, ordering: .sequentiallyConsistent)
        meeting.wait()
        if arrived.load(ordering: .sequentiallyConsistent) < 10 {
          tooEarly.add(1, ordering: .sequentiallyConsistent)
        }
      }
    }
    _ = try Trial(of: ending, on: ImpatientScheduler()).run()
    #expect(arrived.load(ordering: .sequentiallyConsistent) == 10)
    #expect(tooEarly.load(ordering: .sequentiallyConsistent) == 0)
  }

  @Test("counts those who are held up elsewhere, and does not hold them") func arrivals() throws {
    let passed = Atomic(0)
    let meeting = Rendezvous(parties: 10)
    let ending = Ending("meet", "one waits", expects: .nothing, explanation: "-") { lab in
      lab.onThreads(10) { place in
        if place == 0 { meeting.wait() } else { meeting.arrive() }
        passed.add(1, ordering: .sequentiallyConsistent)
      }
    }
    _ = try Trial(of: ending, on: ImpatientScheduler()).run()
    #expect(passed.load(ordering: .sequentiallyConsistent) == 10)
  }
}
