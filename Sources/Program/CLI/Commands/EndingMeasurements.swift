package import MemlabKit
import MemlabTerminalText

/// What was measured of an ending, or why nothing was.
struct MeasuredEnding: Sendable {
  /// What was measured, with its steps where they were asked for, and what came of other orders; the
  /// error when nothing was measured.
  let result: Result<(film: Film, schedules: Exploration?), SentenceError>
  /// How long it took, in real time.
  let duration: Duration
  /// What the ending's own code has printed; empty where it went to the program's outputs at once.
  let written: String
}

/// Why something could not be done, as a sentence without its full stop: why an ending, which it names,
/// could not be measured.
package struct SentenceError: Error, CustomStringConvertible {
  package let description: String

  /// The error with a sentence.
  package init(_ sentence: String) { description = sentence }
}

/// Measures endings, one after the other or several at a time, and gives the results in order.
///
/// Where the platform can copy a process, endings are measured in copies of this one. When an ending
/// crashes, makes no progress or ends its process, it is reported, and another copy measures the rest.
/// All commands that measure several endings do so in this way.
package final class EndingMeasurements {
  /// Why there is no second witness, as a sentence; nil when there is one.
  package let remark: String?
  private let items: [CheckSelection.Item]
  private let work: IsolatedWork<ChildAnswer>
  private var count = 0

  /// Whether an ending that cannot be measured leaves those after it to be measured.
  let goesOnAfterFailures: Bool

  /// Shows that memlab can be trusted here, and measures nothing yet.
  ///
  /// - Throws: what says that memlab cannot be trusted here.
  package init(_ items: [CheckSelection.Item], _ request: MeasurementRequest, in session: Session)
    throws
  {
    (self.items, goesOnAfterFailures) = (items, session.measuresApart)
    // The pool has threads, which a process must not have when it is copied.
    guard !session.measuresApart || request.scheduler == .virtual else {
      remark = try Self.proofInCopy(request, in: session)
      work = Self.work(items, request, in: session) { try Laboratory(request, in: session) }
      return
    }
    // One thread, also when the proof is over: each copy begins with what this process has proved,
    // and with what it has learnt about the program's types and symbols.
    let laboratory = try Laboratory.proved(request, in: session)
    remark = laboratory.remark
    work = Self.work(items, request, in: session) { laboratory }
  }

  /// What came of the next ending; waits for it.
  ///
  /// - Throws: `UnfitOrder` when the order that was to be followed is not one of the ending's.
  func next() throws -> MeasuredEnding {
    let item = items[count]
    count += 1
    let isolated = work.next()
    let result: Result<(film: Film, schedules: Exploration?), SentenceError>
    switch isolated.value {
    case .measured(let film, let schedules): result = .success((film, schedules))
    case .asDeclared: result = .success((Film(of: TrialReport(asDeclaredBy: item.ending)), nil))
    case .failed(let sentence): result = .failure(SentenceError(sentence))
    case .unfit(let error): throw error
    case .proved: preconditionFailure("a proof is no measurement")
    case nil:
      let error = TrialError(item.ending, step: max(isolated.step, 1), reason: isolated.end.reason)
      result = .failure(SentenceError("\(error)"))
    }
    return MeasuredEnding(result: result, duration: isolated.duration, written: isolated.written)
  }

  /// What was measured of the next ending.
  ///
  /// - Parameter session: where what the ending's code has printed is written.
  /// - Throws: `SentenceError` when nothing was.
  package func trial(in session: Session) throws -> TrialReport {
    try film(in: session).get().report
  }

  /// The next ending step by step, or why nothing was measured of it.
  ///
  /// - Parameters:
  ///   - session: where what the ending's code has printed is written.
  ///   - showingCrashes: whether that includes what Swift says of a crash.
  package func film(in session: Session, showingCrashes: Bool = true) throws -> Result<
    Film, SentenceError
  > {
    let measured = try next()
    let film = measured.result.map(\.film)
    if case .failure = film, !showingCrashes { return film }
    try session.errors.write(measured.written)
    return film
  }

  /// The endings that could be measured, each step by step. Of the others, says why not.
  package func films(
    in session: Session
  ) throws -> [(scenario: Scenario, ending: Ending, film: Film)] {
    try items.compactMap { item in
      do {
        return (item.scenario, item.ending, try film(in: session).get())
      } catch let failure as SentenceError {
        try session.errors.write("Error: \(failure)\n")
        return nil
      }
    }
  }

  private static func work(
    _ items: [CheckSelection.Item], _ request: MeasurementRequest, in session: Session,
    on laboratory: @escaping () throws -> Laboratory
  ) -> IsolatedWork<ChildAnswer> {
    var made: Laboratory?
    // What a copy prints goes to a file; how far it has come is shown where the user looks.
    let errors =
      session.measuresApart
      ? Output(descriptor: SystemCalls.duplicate(of: session.errors.descriptor)) : session.errors
    return IsolatedWork(
      groups: EndingGroups(of: items, for: request).places, isApart: session.measuresApart,
      // On the pool each process wants all processors.
      width: request.scheduler == .virtual && !request.runsOnDemand ? Isolation.width : 1,
      limit: session.standstillLimit,
      work: { place in
        ChildAnswer {
          let laboratory = try made ?? laboratory()
          made = laboratory
          return try laboratory.answer(
            request.question, about: items[place], ProgressLine(on: errors))
        }
      },
      standstill: { _, error in .failed("\(error)") },
      endsProcess: { if case .failed = $0 { true } else { false } },
      usual: .asDeclared, isUsual: { if case .asDeclared = $0 { true } else { false } })
  }

  /// Has a child prove that memlab can be trusted here.
  ///
  /// - Returns: why there is no second witness, as a sentence; nil when there is one.
  private static func proofInCopy(
    _ request: MeasurementRequest, in session: Session
  ) throws -> String? {
    let proof = IsolatedWork<ChildAnswer>(
      groups: [0..<1], width: 1, limit: session.standstillLimit,
      work: { _ in
        ChildAnswer { .proved(remark: try Laboratory.proved(request, in: session).remark) }
      },
      standstill: { _, error in .failed("\(error)") }
    ).next()
    switch proof.value {
    case .proved(let remark): return remark
    case .failed(let sentence): throw SentenceError(sentence)
    default: throw SentenceError("the self-check failed: \(proof.end.reason)")
    }
  }
}

/// What a child tells its parent.
private enum ChildAnswer: Codable, Sendable {
  case measured(Film, Exploration?)
  // Of a check's processor time, messages that repeated the declared counts were a sixth.
  case asDeclared
  case failed(String)
  case unfit(UnfitOrder)
  case proved(remark: String?)

  /// The answer that some work gives, or why it has none.
  init(_ work: () throws -> ChildAnswer) {
    do { self = try work() } catch let error as UnfitOrder {
      self = .unfit(error)
    } catch {
      self = .failed("\(error)")
    }
  }
}

extension Laboratory {
  /// A laboratory that has shown that a leak is seen and a clean run is silent.
  fileprivate static func proved(
    _ request: MeasurementRequest, in session: Session
  ) throws -> Laboratory {
    let laboratory = try Laboratory(request, in: session)
    do {
      try session.selfCheck.run(
        on: laboratory.scheduler, witness: laboratory.witness, detail: request.detail)
    } catch {
      try session.note(laboratory.remark)
      throw error
    }
    return laboratory
  }

  fileprivate init(_ request: MeasurementRequest, in session: Session) throws {
    try self.init(
      on: request.scheduler, in: session, refusesWithoutHeap: request.refusesWithoutHeap)
  }

  /// Runs an ending, and other orders of its jobs where they are asked for.
  fileprivate func answer(
    _ question: MeasurementRequest.Question, about item: CheckSelection.Item,
    _ progress: ProgressLine
  ) throws -> ChildAnswer {
    switch question {
    case .everyStep(let requiresNames):
      let film = try film(item.ending, requiringNames: requiresNames)
      // A check, which requires names, shows no step.
      return .measured(requiresNames ? Film(of: film.report) : film, nil)
    case .result(let detail, let plan):
      let trial = try run(item.ending, detail: detail, order: plan?.chooser)
      let schedules = try explore(item.scenario, item.ending, plan, after: trial, progress)
      let isAsDeclared = trial.asExpected && CheckCounts(trial) == CheckCounts(item.ending.expects)
      return detail == .holders && schedules == nil && isAsDeclared
        ? .asDeclared : .measured(Film(of: trial), schedules)
    }
  }
}
