package import MemlabKit

extension JudgedEnding {
  /// What is wrong, as sentences that help, the most important first; none when it is solved.
  ///
  /// - Parameter exercise: says what its figures mean, and what to do about them.
  package func sentences(of exercise: Exercise) -> [String] {
    if let failure { return [failure.sentence(written: written)] }
    guard let trial, !isSolved else { return [] }
    switch later {
    case .same: break
    case .grow(let blocks): return [Advice.ofGrowth(blocks)]
    case .differ(let differences): return [Advice.ofDifferences(differences)]
    }
    let advice = Advice(exercise: exercise, expects: ending.expects, trial: trial)
    // What holds an object, or what a task waits for, says more than a figure that is wrong with it.
    return advice.missing + advice.objects + advice.tasks + advice.figures + advice.counts
      + advice.rest
  }
}

extension ExerciseFailure {
  /// What has happened, in which step, and what it often comes from.
  func sentence(written: String) -> String {
    switch self {
    case .ended(let code, let place):
      "Your code ended the process, with code \(code), in \(place.description). The steps after "
        + "that were not run: nothing in the code may call exit."
    case .signalled(let reason, let place):
      Self.crash(written, "In \(place.description), \(reason).")
    case .stopped(let reason, let place):
      Self.disagreement(reason) ?? "In \(place.description), \(reason)."
    }
  }

  // What Swift says comes first: a summary has two lines for it.
  private static func crash(_ written: String, _ event: String) -> String {
    guard let line = written.split(separator: "\n").first(where: { $0.contains("Fatal error: ") }),
      let start = line.firstRange(of: "Fatal error: ")
    else {
      return event
        + " An unowned reference to an object that is gone ends like this, and so do '!' "
        + "on nil and a continuation that is resumed twice."
    }
    let reason = line[start.upperBound...].replacing(#/ 0x[0-9a-f]+/#, with: "")
    let advice =
      if reason.contains("unowned reference") {
        " Where the object may be gone first, the reference is weak."
      } else if reason.contains("outside of a trial") {
        " What a detached task or a thread creates is not counted: start tasks with Task(probe:)."
      } else { "" }
    return "Swift says: \(reason)\(place(in: line[..<start.lowerBound])).\(advice) \(event)"
  }

  // Swift names the file of the code that it stops, by its module; its own are of no use here.
  private static func place(in words: Substring) -> String {
    guard let match = words.firstMatch(of: #/(\w+)/(\w+\.swift):(\d+): $/#),
      !["Swift", "_Concurrency", "Synchronization", "MemlabKit", "MemlabExerciseJudges"].contains(
        match.1)
    else { return "" }
    return " (\(match.2), line \(match.3))"
  }

  private static func disagreement(_ reason: String) -> String? {
    guard reason.contains("the witnesses disagree") else { return nil }
    let counts = reason.replacing("the witnesses disagree: ", with: "")
    return
      "The probes do not tell what the heap shows: \(counts). Each class stores its Probe in a "
      + "property for as long as it lives, and each task is started with Task(probe:)."
  }
}

/// The sentences about one measurement.
private struct Advice {
  let exercise: Exercise
  let expects: Declaration
  let trial: TrialReport

  /// What is said when one run is as it should be, and many are not.
  static func ofGrowth(_ blocks: Int) -> String {
    let stay = blocks == 1 ? "block of memory stays" : "blocks of memory stay"
    return "Each time that this runs, \(blocks) more \(stay), although no object with a probe "
      + "is left. Does a static property, or something else that lives as long as the app, collect "
      + "what nobody needs any more?"
  }

  /// What is said when one run is as it should be, and a later one is not.
  static func ofDifferences(_ differences: [String]) -> String {
    "The first run was as it should be. When it was run again, it was not: "
      + differences.joined(separator: "; ")
      + ". What did the first run leave in a static property or a global variable, so that the next "
      + "one finds it?"
  }

  /// What is not counted at all.
  var missing: [String] {
    expects.objects.filter { expected in
      expected.created > 0 && !trial.objects.contains { $0.type == expected.type }
    }.map { "No \($0.type) was counted: each has to store Probe(\($0.type).self)." }
      + expects.tasks.filter { expected in
        expected.started > 0 && !trial.tasks.contains { $0.name == expected.name }
      }.map { "No task \($0.name) was counted: it is started with Task(probe: \"\($0.name)\")." }
  }

  /// The figures that are wrong: what was measured, what it means, and what to do.
  var figures: [String] {
    Set(expects.metrics.keys).union(trial.metrics.keys).sorted().compactMap { name in
      let (expected, measured) = (expects.metrics[name], trial.metrics[name])
      guard expected != measured else { return nil }
      let counts =
        "\(name) should be \(expected.map(String.init) ?? "left out") and was "
        + "\(measured.map(String.init) ?? "not measured")."
      let meaning = exercise.figures[name.rawValue].map { "It \($0)" }
      return [exercise.advice[name.rawValue], counts, meaning].compactMap(\.self)
        .joined(separator: " ")
    }
  }

  /// The objects that are alive, and who holds them.
  var objects: [String] {
    trial.objects.filter { $0.alive > 0 }.map { count in
      let holders = trial.holders(of: count.type)
      let by = holders.isEmpty ? "" : ", held by \(holders.joined(separator: " and by "))"
      let subject = count.alive == 1 ? "\(count.type) is" : "\(count.alive) \(count.type) are"
      return "\(subject) still alive at the end\(by).\(advice(on: count.type))"
    }
  }

  /// The tasks that never finish, and what they wait for.
  var tasks: [String] {
    trial.tasks.filter { $0.live > 0 }.map { count in
      let waits = trial.waits(ofTask: count.name)
      let wait = waits.isEmpty ? "" : ": it waits in \(waits.joined(separator: ", and in "))"
      return "The task \(count.name) never finishes\(wait).\(advice(on: "task \(count.name)"))"
    }
  }

  private func advice(on name: String) -> String { exercise.advice[name].map { " \($0)" } ?? "" }

  /// The objects and the tasks that are gone, but were too many or too few.
  var counts: [String] {
    trial.objects.filter { $0.alive == 0 }.compactMap { count in
      let expected = expects.objects.first { $0.type == count.type }?.created ?? 0
      guard count.created != expected else { return nil }
      let question =
        count.created > expected
        ? ": does something make new ones where those that are there should be used?" : "."
      return "\(count.created) \(count.type) were created, and \(expected) should be\(question)"
    }
      + trial.tasks.filter { $0.live == 0 }.compactMap { count in
        let expected = expects.tasks.first { $0.name == count.name }?.started ?? 0
        guard count.started != expected else { return nil }
        return "\(count.started) tasks \(count.name) were started, and \(expected) should be."
      }
  }

  /// What nothing above tells of.
  var rest: [String] {
    guard trial.unseenCycles == 0 else {
      return [
        "Objects without a probe hold each other and are left on the heap: there is still a retain "
          + "cycle, although every probe is gone."
      ]
    }
    return (missing + figures + objects + tasks + counts).isEmpty ? trial.differences : []
  }
}
