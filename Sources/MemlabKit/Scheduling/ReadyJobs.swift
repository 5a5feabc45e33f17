/// Jobs that could run at once, in the order in which they came.
struct ReadyJobs: Sendable {
  /// A job and the executor that it was given to.
  typealias Entry = (job: UnownedJob, lane: JobQueue.Lane)

  private var jobs: [Entry] = []
  private var head = 0

  /// Whether no job is ready.
  var isEmpty: Bool { head == jobs.count }

  /// The places of the jobs that the runtime could run next, in the order of arrival.
  var candidates: [Int] {
    let firstOfMain = jobs[head...].firstIndex { $0.lane == .main }
    return jobs.indices[head...].filter { jobs[$0].lane == .global || $0 == firstOfMain }
  }

  /// Adds a job behind all others.
  mutating func append(_ entry: Entry) { jobs.append(entry) }

  /// Takes the job that came first, or nil when there is none.
  mutating func removeFirst() -> Entry? {
    guard head < jobs.count else {
      jobs.removeAll(keepingCapacity: true)
      head = 0
      return nil
    }
    defer { head += 1 }
    return jobs[head]
  }

  /// Takes the job at a place of ``candidates``.
  mutating func remove(at place: Int) -> Entry { jobs.remove(at: place) }
}
