package import MemlabKit
package import MemlabTerminalText

/// What of each ending is to be measured, and on what.
package struct MeasurementRequest: Sendable {
  /// What runs the tasks.
  var scheduler: SchedulerName
  /// Whether nothing is to run without a second witness.
  var requiresHeap = false
  /// How much the reports say of the heap.
  var detail = HeapDetail.holders
  /// Which other orders of the same jobs are run as well; nil for none.
  var plan: SchedulePlan?
  /// Whether both witnesses are asked after each step, and not only at the end.
  package var isFilmed = false
  /// Whether each variable of an ending that is filmed has to have a name.
  var wantsNames = false
  /// Whether an ending is run only when it is asked for: somebody may never come to the next.
  package var waitsToBeAsked = false

  /// A request for this scheduler.
  package init(on scheduler: SchedulerName, detail: HeapDetail) {
    (self.scheduler, self.detail) = (scheduler, detail)
  }

  /// What a command line asks for.
  package init(_ invocation: Invocation, detail: HeapDetail, plan: SchedulePlan? = nil) {
    scheduler = invocation.scheduler
    requiresHeap = invocation.flag("require-heap")
    (self.detail, self.plan) = (detail, plan)
  }
}

/// What was measured of an ending, or why nothing was.
struct MeasuredEnding: Sendable {
  /// What was measured, and what came of other orders; the error when nothing was.
  let result: Result<(trial: TrialReport, schedules: Exploration?), TrialFailure>
  /// What was measured step by step; nil when that was not asked for, or nothing was measured.
  let film: Film?
  /// How long it took, in real time.
  let duration: Duration
  /// What the ending's own code has printed; empty where it went to the program's outputs at once.
  let written: String
}

/// Why an ending could not be measured, as a sentence that names the ending.
package struct TrialFailure: Error, CustomStringConvertible {
  package let description: String
}

/// Measures endings, one after the other or several at a time, and gives the results in order.
///
/// Where the platform can copy a process, endings are measured in copies of this one. When an ending
/// crashes, makes no progress or ends its process, it is reported, and another copy measures the rest.
/// `check`, `report`, `matrix` and `compare` all measure in this way.
///
/// A copy costs two milliseconds, more than most endings. So where little is asked of each ending and
/// there are many scenarios, neighbours share a copy. In a report, and where many orders are run, each
/// scenario has its own.
package final class EndingMeasurements {
  private enum Way {
    case here(Laboratory)
    case apart(IsolatedWork<ChildResult>)
  }

  /// Why there is no second witness, as a sentence; nil when there is one.
  package let remark: String?
  private let items: [CheckSelection.Item]
  private let request: MeasurementRequest
  private let way: Way
  private let progress: ProgressLine
  private var place = 0

  /// Whether an ending that cannot be measured leaves those after it to be measured.
  var goesOnAfterFailures: Bool {
    if case .apart = way { true } else { false }
  }

  /// Shows that memlab can be trusted here, and measures nothing yet.
  ///
  /// - Throws: what says that memlab cannot be trusted here.
  package init(_ items: [CheckSelection.Item], _ request: MeasurementRequest, in session: Session)
    throws
  {
    (self.items, self.request) = (items, request)
    progress = ProgressLine(on: session.errors)
    if !session.measuresApart {
      let laboratory = try Laboratory.proved(request, in: session)
      (way, remark) = (.here(laboratory), laboratory.remark)
    } else if request.scheduler == .virtual {
      // One thread, also when the proof is over: each copy begins with what this process has proved,
      // and with what it has learnt about the program's types and symbols.
      let laboratory = try Laboratory.proved(request, in: session)
      remark = laboratory.remark
      way = .apart(Self.work(items, request, in: session) { laboratory })
    } else {
      // The pool has threads, which a process must not have when it is copied.
      remark = try Self.proveApart(request, in: session)
      way = .apart(
        Self.work(items, request, in: session) {
          try Laboratory(
            on: request.scheduler, in: session, requiresHeap: request.requiresHeap)
        })
    }
  }

  /// Says why there is no second witness, where there is none.
  package func tellRemark(in session: Session) throws(OutputError) {
    if let remark { try session.errors.write("Note: \(remark)\n") }
  }

  /// What came of the next ending; waits for it.
  ///
  /// - Throws: `UnfitOrder` when the order that was to be followed is not one of the ending's.
  func next() throws -> MeasuredEnding {
    defer { place += 1 }
    switch way {
    case .here(let laboratory):
      let start = RealTime.now()
      let result = try ChildResult(of: items[place], request, on: laboratory, progress)
      return try result.measured(duration: RealTime.now() - start, written: "")
    case .apart(let work):
      let isolated = work.next()
      let result = isolated.value ?? .failed(lostReason(isolated))
      return try result.measured(duration: isolated.duration, written: isolated.written)
    }
  }

  /// What was measured of the next ending.
  ///
  /// - Parameter session: where what the ending's code has printed is written.
  /// - Throws: `TrialFailure` when nothing was.
  package func trial(in session: Session) throws -> TrialReport {
    let measured = try next()
    try session.errors.write(measured.written)
    return try measured.result.get().trial
  }

  /// The next ending step by step, or why nothing was measured of it.
  ///
  /// - Parameters:
  ///   - session: where what the ending's code has printed is written.
  ///   - tellingOfCrashes: whether that includes what Swift says of a crash.
  package func film(
    in session: Session, tellingOfCrashes: Bool = true
  ) throws -> Result<Film, TrialFailure> {
    do {
      let measured = try next()
      if tellingOfCrashes || measured.film != nil { try session.errors.write(measured.written) }
      return measured.result.map { _ in
        guard let film = measured.film else { preconditionFailure("no film was asked for") }
        return film
      }
    } catch let error as TrialError {
      // Without a process of its own, an ending that cannot be measured leaves the others as well.
      return .failure(TrialFailure(description: "\(error)"))
    }
  }

  private func lostReason(_ isolated: Isolated<ChildResult>) -> String {
    "\(TrialError(items[place].ending, step: max(isolated.step, 1), reason: isolated.end.reason))"
  }

  private static func work(
    _ items: [CheckSelection.Item], _ request: MeasurementRequest, in session: Session,
    on laboratory: @escaping () throws -> Laboratory
  ) -> IsolatedWork<ChildResult> {
    var made: Laboratory?
    // What a copy prints goes to a file; how far it has come is shown where the user looks.
    let errors = Output(descriptor: SystemCalls.duplicate(of: session.errors.descriptor))
    return IsolatedWork(
      groups: groups(of: items, request),
      // On the pool each process wants all processors.
      width: request.scheduler == .virtual && !request.waitsToBeAsked ? Isolation.width : 1,
      limit: session.standstillLimit,
      work: { place in
        do {
          let progress = ProgressLine(on: errors)
          let laboratory = try made ?? laboratory()
          made = laboratory
          return try ChildResult(of: items[place], request, on: laboratory, progress)
        } catch let error as UnfitOrder {
          return .unfit(error)
        } catch {
          return .failed("\(error)")
        }
      },
      standstill: { _, error in .failed("\(error)") },
      isSpoilt: { if case .failed = $0 { true } else { false } })
  }

  private static func groups(
    of items: [CheckSelection.Item], _ request: MeasurementRequest
  ) -> [Range<Int>] {
    // A variable of the program that an earlier ending has set would hold what nobody recorded.
    if request.isFilmed { return items.indices.map { $0..<($0 + 1) } }
    let scenarios = items.scenarios
    guard request.detail == .holders, request.plan == nil else { return scenarios }
    // A check of a few scenarios has room for a copy each. For many, one for each processor is fastest.
    let hasRoom = scenarios.count <= 4 * Isolation.width
    let count = hasRoom ? scenarios.count : Isolation.width
    return (0..<count).map { group in
      let places = (group * scenarios.count / count)..<((group + 1) * scenarios.count / count)
      return scenarios[places.lowerBound].lowerBound..<scenarios[places.upperBound - 1].upperBound
    }
  }

  /// Has a child prove that memlab can be trusted here.
  ///
  /// - Returns: why there is no second witness, as a sentence; nil when there is one.
  private static func proveApart(
    _ request: MeasurementRequest, in session: Session
  ) throws -> String? {
    let proof = IsolatedWork<ChildResult>(
      groups: [0..<1], width: 1, limit: session.standstillLimit,
      work: { _ in
        do {
          return .proved(remark: try Laboratory.proved(request, in: session).remark)
        } catch {
          return .failed("\(error)")
        }
      },
      standstill: { _, error in .failed("\(error)") }
    ).next()
    switch proof.value {
    case .proved(let remark): return remark
    case .failed(let sentence): throw TrialFailure(description: sentence)
    default: throw TrialFailure(description: "the self-check failed: \(proof.end.reason)")
    }
  }
}

extension Laboratory {
  /// A laboratory that has shown that a leak is seen and a clean run is silent.
  fileprivate static func proved(
    _ request: MeasurementRequest, in session: Session
  ) throws -> Laboratory {
    let laboratory = try Laboratory(
      on: request.scheduler, in: session, requiresHeap: request.requiresHeap)
    do {
      let trials = try session.selfCheck.run(
        on: laboratory.scheduler, witness: laboratory.witness, detail: request.detail)
      for trial in trials { IsolatedWork<ChildResult>.rehearse(.measured(trial, nil)) }
    } catch {
      try laboratory.tellRemark(in: session)
      throw error
    }
    return laboratory
  }
}

/// What a child tells its parent.
private enum ChildResult: Codable, Sendable {
  case measured(TrialReport, Exploration?)
  case filmed(Film)
  case failed(String)
  case unfit(UnfitOrder)
  case proved(remark: String?)

  /// Runs an ending, and other orders of its jobs where they are asked for.
  init(
    of item: CheckSelection.Item, _ request: MeasurementRequest, on laboratory: Laboratory,
    _ progress: ProgressLine
  ) throws {
    if request.isFilmed {
      self = .filmed(try laboratory.film(item.ending, wantingNames: request.wantsNames))
      return
    }
    let trial = try laboratory.run(
      item.ending, detail: request.detail, order: request.plan?.chooser)
    let schedules = try laboratory.explore(
      item.scenario, item.ending, request.plan, after: trial, progress)
    self = .measured(trial, schedules)
  }

  func measured(duration: Duration, written: String) throws -> MeasuredEnding {
    var film: Film?
    let result: Result<(trial: TrialReport, schedules: Exploration?), TrialFailure>
    switch self {
    case .measured(let trial, let schedules): result = .success((trial, schedules))
    case .filmed(let measured):
      film = measured
      result = .success((measured.report, nil))
    case .failed(let sentence): result = .failure(TrialFailure(description: sentence))
    case .unfit(let error): throw error
    case .proved: preconditionFailure("a proof is no measurement")
    }
    return MeasuredEnding(result: result, film: film, duration: duration, written: written)
  }
}

extension [CheckSelection.Item] {
  /// The places of neighbours that are endings of one scenario.
  fileprivate var scenarios: [Range<Int>] {
    indices.reduce(into: []) { groups, index in
      if index > 0, self[index - 1].scenario.id == self[index].scenario.id {
        groups[groups.count - 1] = groups[groups.count - 1].lowerBound..<(index + 1)
      } else {
        groups.append(index..<(index + 1))
      }
    }
  }
}
