/// Jobs that could run at once, in the order in which they arrived.
///
/// The jobs that may run next are kept apart from those that may not, so that neither picking nor
/// removing one has to look at all the others.
package struct ReadyJobs: Sendable {
  /// A job and the executor that it was given to.
  package typealias Entry = (job: UnownedJob, lane: JobQueue.Lane)

  private struct Arrival: Sendable {
    let entry: Entry
    // Counts the jobs that have arrived.
    let number: Int
  }

  // From `head` on, by arrival: every job of the global executor, and the main actor's first.
  private var candidates: [Arrival] = []
  private var head = 0
  // From `mainHead` on, by arrival: the main actor's other jobs. Each waits for the one before it.
  private var laterOfMain: [Arrival] = []
  private var mainHead = 0
  private var hasMain = false
  private var arrived = 0

  /// No jobs.
  package init() {}

  /// Whether no job is ready.
  package var isEmpty: Bool { candidateCount == 0 }

  /// How many jobs the runtime could run next.
  package var candidateCount: Int { candidates.count - head }

  /// Adds a job behind all others.
  package mutating func append(_ entry: Entry) {
    let arrival = Arrival(entry: entry, number: arrived)
    arrived += 1
    if entry.lane == .main, hasMain {
      laterOfMain.append(arrival)
    } else {
      candidates.append(arrival)
      hasMain = hasMain || entry.lane == .main
    }
  }

  /// Removes the job that arrived first; nil when there is none.
  package mutating func removeFirst() -> Entry? { isEmpty ? nil : remove(at: 0) }

  /// Removes one of the jobs that the runtime could run next.
  ///
  /// - Parameter place: its place among them, from 0 in the order of arrival.
  package mutating func remove(at place: Int) -> Entry {
    let taken = candidates[head + place].entry
    if place == 0 {
      head += 1
    } else {
      candidates.remove(at: head + place)
    }
    if taken.lane == .main { admitNextOfMain() }
    if isEmpty {
      candidates.removeAll(keepingCapacity: true)
      head = 0
    }
    return taken
  }

  // The main actor's next job becomes a candidate, at its place in the order of arrival.
  private mutating func admitNextOfMain() {
    guard mainHead < laterOfMain.count else {
      laterOfMain.removeAll(keepingCapacity: true)
      (mainHead, hasMain) = (0, false)
      return
    }
    let next = laterOfMain[mainHead]
    mainHead += 1
    let place = firstPlace(after: next.number)
    guard head > 0 else { return candidates.insert(next, at: place) }
    // There is room at the front, and in first-in, first-out order `place` is close to it.
    for index in head..<place { candidates[index - 1] = candidates[index] }
    head -= 1
    candidates[place - 1] = next
  }

  private func firstPlace(after number: Int) -> Int {
    var (low, high) = (head, candidates.count)
    while low < high {
      let middle = (low + high) / 2
      if candidates[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
