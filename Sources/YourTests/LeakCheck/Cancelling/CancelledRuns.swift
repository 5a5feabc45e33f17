import MemlabHeapModel
import MemlabPlatform
import Testing

/// The runs of a body that are cancelled, and what they have left behind.
///
/// After a first run at each place, the check waits only shortly. What is left then is looked for
/// again, in another run that is cancelled at the same place, and after which the check waits as
/// long as it ever does. What is not seen twice is not reported.
struct CancelledRuns {
  private let body: SteeredBody
  private let check: LeakChecker
  private let place: SourceLocation
  // Of the run that nobody has cancelled.
  private let (suspensions, limits): ([Suspension], SteeredRun.Limits)
  private let old: Set<Fingerprint>
  private var found: [Found] = []
  // Of the latest run that was cancelled and has ended.
  private var latest: CancelledPlace?

  /// How many suspensions the longest of the runs had, up to where it was cancelled.
  private(set) var furthest = 0
  /// Why there is no sense in more runs; nil while there is.
  private(set) var problem: String?

  private struct Found {
    let fingerprint: Fingerprint
    let report: LeakReport
    var places: [CancelledPlace] = []
  }

  private static let shortly = Patience(limit: .milliseconds(5), whenIdle: .zero)
  // A timer may fire so early that a body comes through a place without waiting.
  private static let attempts = 3

  /// No runs yet.
  ///
  /// - Parameters:
  ///   - plain: a run that nobody has cancelled.
  ///   - leaks: what that has left behind, which is not reported again.
  ///   - duration: how long it took.
  init(
    of body: SteeredBody, by check: LeakChecker, at place: SourceLocation,
    after plain: SteeredRun, leaving leaks: [Leak], lasting duration: Duration
  ) {
    (self.body, self.check, self.place) = (body, check, place)
    suspensions = plain.executor.suspensions
    limits = SteeredRun.Limits(
      moment: check.patience.limit + duration * 2, end: .milliseconds(50) + duration * 2)
    old = Set(leaks.map(Fingerprint.init))
  }

  /// What to tell the test of.
  var reports: [LeakReport] { found.map { $0.report.cancelled(at: $0.places) } }

  /// Runs the body twice at most, or as often as it takes to be sure, and cancels it at a moment.
  mutating func cancel(_ moment: CancellationMoment) async {
    guard let first = await trial(moment) else { return }
    let isLate = first.run.isLate
    if isLate || !first.run.hasEnded { problem = await stuck() }
    let titles = await first.titlesOfRest(after: Self.shortly.limit)
    first.end()
    if isLate || problem != nil { return }
    latest = CancelledPlace(moment, in: first.run.suspensions, of: suspensions.count)
    guard titles != [] else { return }
    // Who holds what is left is told by a look at the heap, which takes time. It is the same where
    // the same is left by a body that waits for its turn only, or goes on.
    let mayBeKnown = titles?.isSubset(of: found.map(\.report.title)) ?? !found.isEmpty
    if mayBeKnown, let titles, !waitsForEvent(during: moment) {
      guard let second = await trial(moment) else { return }
      let isSame = await second.titlesOfRest(after: Self.shortly.limit) == titles
      second.end()
      if isSame { add(moment, second.run) { titles.contains($0.report.title) } }
      return
    }
    if mayBeKnown, await confirm(titles, at: moment, patience: Self.shortly) { return }
    _ = await confirm(titles, at: moment, patience: check.patience)
  }

  // Looks for what is left once more. Returns whether all of it is known now: what is new becomes
  // known only with the patience of the check.
  private mutating func confirm(
    _ titles: Set<String>?, at moment: CancellationMoment, patience: Patience
  ) async -> Bool {
    guard let trial = await trial(moment) else { return true }
    let (all, finding) = await trial.leaks(patience: patience)
    let leaks = all.map { (leak: $0, fingerprint: Fingerprint(of: $0)) }
      .filter { !old.contains($0.fingerprint) && titles?.contains($0.leak.title) != false }
    let isSure = patience.limit == check.patience.limit
    for (leak, fingerprint) in leaks {
      if !found.contains(where: { $0.fingerprint == fingerprint }) {
        guard isSure, let finding else { return false }
        let report = check.report(leak, in: finding, at: place)
        found.append(Found(fingerprint: fingerprint, report: report))
      }
      add(moment, trial.run) { $0.fingerprint == fingerprint }
    }
    return isSure || !leaks.isEmpty
  }

  private func waitsForEvent(during moment: CancellationMoment) -> Bool {
    guard case .during(let number) = moment, number <= suspensions.count else { return false }
    return suspensions[number - 1].kind == .event
  }

  private mutating func add(
    _ moment: CancellationMoment, _ run: SteeredRun, where isMeant: (Found) -> Bool
  ) {
    let place = CancelledPlace(moment, in: run.suspensions, of: suspensions.count)
    for index in found.indices where isMeant(found[index]) {
      if found[index].places.last?.moment != moment { found[index].places.append(place) }
    }
  }

  // Nil when the body does not come to the moment.
  private mutating func trial(_ moment: CancellationMoment) async -> Trial? {
    if case .after(let number) = moment, number > max(suspensions.count, furthest) { return nil }
    let isExtra = (moment.suspension ?? 0) > suspensions.count
    for _ in 0..<(isExtra ? 1 : Self.attempts) {
      let trial = await check.trial(of: body, at: place, cancelled: moment, within: limits)
      furthest = max(furthest, trial.run.suspensions.count)
      if trial.run.executor.hasCancelled || moment == .never { return trial }
      trial.end()
    }
    return nil
  }

  // One run may keep what each run needs. Then the next one waits for that, cancelled or not.
  private mutating func stuck() async -> String? {
    guard let trial = await trial(.never) else { return nil }
    trial.end()
    let places = trial.run.suspensions
    guard trial.run.isLate, let latest else { return nil }
    let place = CancelledPlace(.during(places.count), in: places, of: suspensions.count)
    return
      "the body does not end any more, even when nobody cancels it: it waits\(place.function). "
      + "The run before was \(latest.text): it may have kept what the others wait for\n"
      + "to see it again: \(latest.argument)"
  }
}

extension LeakReport {
  // So many places tell where to look.
  private static let placesInFull = 8

  /// The report on what a run has left behind that was cancelled at one of some places.
  fileprivate func cancelled(at places: [CancelledPlace]) -> LeakReport {
    let rest = places.count - Self.placesInFull
    let moments =
      [places[0].text] + places.prefix(Self.placesInFull).dropFirst().map { "also \($0.text)" }
      + (rest > 0 ? ["and at \(rest) more moments"] : [])
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let ofBody = "task \"\(SteeredBody.taskName)\" has not finished"
    if title == ofBody { lines[0].replace(ofBody, with: "the body does not end") }
    lines.insert(contentsOf: moments.map { $0.shown() }, at: 1)
    lines.append("to see it again: \(places[0].argument)".shown())
    var report = self
    report.text = lines.joined(separator: "\n")
    return report
  }
}

/// Where a run of a body was cancelled, for a reader.
struct CancelledPlace {
  /// The moment.
  let moment: CancellationMoment
  private let suspension: Suspension?
  private let count: Int

  /// Where a run was cancelled.
  ///
  /// - Parameters:
  ///   - suspensions: where the body has suspended in that run, up to there.
  ///   - count: how often it suspends when nobody cancels it.
  init(_ moment: CancellationMoment, in suspensions: [Suspension], of count: Int) {
    (self.moment, self.count) = (moment, max(count, suspensions.count))
    suspension = moment.suspension.flatMap {
      suspensions.indices.contains($0 - 1) ? suspensions[$0 - 1] : nil
    }
  }

  /// What is said of it: `cancelled while it waits in load() at Loader.swift:31, the third of 7
  /// suspensions`.
  var text: String {
    switch moment {
    case .beginning: "cancelled before it begins"
    case .never: "not cancelled"
    case .during(let number) where suspension?.kind == .elsewhere:
      "cancelled while it runs\(function), which the check does not steer, \(words(of: number))"
    case .during(let number): "cancelled while it waits\(function), \(words(of: number))"
    case .after(let number):
      "cancelled when it has waited\(function), before it goes on, \(words(of: number))"
    }
  }

  /// What to write in the test to see it again.
  var argument: String {
    moment.suspension.map { "cancelling: .at(\($0))" } ?? "cancelling: .beforeItBegins"
  }

  /// The function that it waits in, and the line; empty where that is not known.
  var function: String {
    guard let frame = suspension?.trace()?.frames.first else { return "" }
    return " in \(frame.function)" + (frame.location.map { " at \($0)" } ?? "")
  }

  private static let ordinals = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
  ]

  private func words(of number: Int) -> String {
    guard number <= Self.ordinals.count else { return "suspension \(number) of \(count)" }
    return "the \(Self.ordinals[number - 1]) of \(count) suspension\(count == 1 ? "" : "s")"
  }
}
