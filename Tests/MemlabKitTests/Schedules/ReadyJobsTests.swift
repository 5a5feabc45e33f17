import MemlabKit
import Testing

@Suite("Jobs that are ready") struct ReadyJobsTests {
  @Test("are offered as a search of the whole list would offer them", arguments: 1...20)
  func likeTheList(seed: UInt64) {
    var luck = SplitMix64(seed: seed)
    var (ready, list) = (ReadyJobs(), List())
    for number in 1...300 {
      if Bool.random(using: &luck) || list.jobs.isEmpty {
        let lane: JobQueue.Lane = Bool.random(using: &luck) ? .main : .global
        ready.append((Self.job(number), lane))
        list.jobs.append((number, lane))
      } else if Bool.random(using: &luck) {
        #expect(Self.number(ready.removeFirst()) == list.jobs.removeFirst().number)
      } else {
        let place = Int.random(in: list.candidates.indices, using: &luck)
        #expect(
          Self.number(ready.remove(at: place))
            == list.jobs.remove(at: list.candidates[place]).number)
      }
      #expect(ready.candidateCount == list.candidates.count)
      #expect(ready.isEmpty == list.jobs.isEmpty)
    }
    while !list.jobs.isEmpty {
      #expect(Self.number(ready.removeFirst()) == list.jobs.removeFirst().number)
    }
    #expect(ready.isEmpty)
  }

  /// What ``ReadyJobs`` does, by searching all jobs each time.
  private struct List {
    var jobs: [(number: Int, lane: JobQueue.Lane)] = []

    var candidates: [Int] {
      let firstOfMain = jobs.firstIndex { $0.lane == .main }
      return jobs.indices.filter { jobs[$0].lane == .global || $0 == firstOfMain }
    }
  }

  // A job that is never run, so its pointer may be any number but 0.
  private static func job(_ number: Int) -> UnownedJob {
    unsafeBitCast(number, to: UnownedJob.self)
  }

  private static func number(_ entry: ReadyJobs.Entry?) -> Int? {
    entry.map { unsafeBitCast($0.job, to: Int.self) }
  }
}
