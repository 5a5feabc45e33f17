import MemlabCLI
import MemlabKit
import MemlabTerminalText
import MemlabWalk

/// `memlab inventory before|after`: twelve short programs to predict, before the course and after it.
enum InventoryCommand: Command {
  static let isOfMemlabAlone = true
  static let measuresMany = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let sets = session.app.course?.inventory() ?? []
    guard let set = sets.first(where: { $0.id == invocation.positionals[0] }) else {
      throw invocation.usageError(
        "There is no inventory \(quoted(invocation.positionals[0])). Choose one of: "
          + "\(sets.map(\.id).joined(separator: ", ")).")
    }
    let measurements = try EndingMeasurements(
      set.endings.map { (set, $0) },
      MeasurementRequest(.everyStep(), onDemand: false, refusesWithoutHeap: true), in: session)
    let programs = try set.endings.map { ending in
      InventoryProgram(set, ending, try measurements.film(in: session).get())
    }
    let terminal = session.terminal(for: invocation)
    let opening = lines(of: set)
    guard terminal.isInteractive, SystemCalls.isTerminal(0) else {
      try session.write(opening + programs.flatMap { $0.lines }, for: invocation)
      return .success
    }
    try session.write(opening, for: invocation)
    let dialog = PredictionDialog(output: session.output, width: terminal.width)
    var records: [AnswerRecord] = []
    for program in programs {
      try session.write(program.code, for: invocation)
      let start = RealTime.now()
      guard let answer = try dialog.choose(InventoryProgram.question, of: program.choices) else {
        break
      }
      guard let place = answer else { continue }
      records.append(program.record(of: place, after: RealTime.now() - start))
    }
    try session.keep(records, for: terminal)
    try session.write(closing(records, of: set, programs.count), for: invocation)
    return .success
  }

  private static func lines(of set: Scenario) -> [StyledText] {
    let text =
      "In each of \(set.endings.count) programs, a, b and c are variables of type Lamp?, and each has "
      + "a new lamp at first. news() goes on for as long as the program runs; a task that waits for it "
      + "ends when it is cancelled. answer() never returns, also not in a task that is cancelled. "
      + "onNews() keeps its closure for as long as the program runs. Each task runs until it waits "
      + "before the next line of the program does."
    let lamp = Listing.of(set).first.map { InventoryProgram.shown($0.code) } ?? []
    return text.wrapped(to: 78).map { StyledText($0) } + [""] + lamp
  }

  // What is right is not said before the course: the same beliefs are asked about after it.
  private static func closing(
    _ records: [AnswerRecord], of set: Scenario, _ count: Int
  ) -> [StyledText] {
    let answered = "\(records.count) of \(count) answered."
    guard set.id != "before" else { return [StyledText(answered)] }
    return [StyledText("\(answered) \(records.count { $0.right == true }) are right.")]
  }
}

/// A program of the inventory, with the answers to choose from. The right one is measured; each of the
/// others is what a belief predicts.
struct InventoryProgram {
  /// What is asked about each.
  static let question = "What is true when the program has run?"

  private struct Answer: Hashable, Comparable {
    let gone: Int
    let live: Int

    static func < (one: Answer, other: Answer) -> Bool {
      (one.gone, one.live) < (other.gone, other.live)
    }
  }

  private static let mostWrongAnswers = 3

  private let set: String
  private let number: String
  private let listing: [StyledText]
  private let report: TrialReport
  private let key: Answer
  private let answers: [Answer]
  private let rules: [Answer: String]

  /// A program that has been run.
  init(_ set: Scenario, _ ending: Ending, _ film: Film) {
    (self.set, number, report) = (set.id, ending.name, film.report)
    listing = Listing.of(set, in: ending).first.map { Self.shown($0.code) } ?? []
    let created = film.report.createdObjects
    let key = Answer(gone: created - film.report.aliveObjects, live: film.report.liveTasks)
    let run = RecordedRun(of: film)
    let expected = BeliefRule.all.compactMap { rule in
      rule.expectation(of: run, about: nil).steps.last.map { last in
        (Answer(gone: created - last.alive.count, live: last.live), rule.name)
      }
    }
    let wrong = Dictionary(grouping: expected.filter { $0.0 != key }, by: \.0)
    // What most beliefs predict is the most tempting.
    let tempting = wrong.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
    self.key = key
    let sorted = ([key] + tempting.prefix(Self.mostWrongAnswers).map(\.key)).sorted()
    // In order of size, the right one would nearly always be the second.
    let (place, count) = (Int(ending.name) ?? 0, sorted.count)
    let shift = (sorted.firstIndex(of: key) ?? 0) + count * 2 - (place + place / 4) % count
    answers = Array((sorted + sorted)[(shift % count)...].prefix(count))
    rules = wrong.mapValues { $0[0].1 }
  }

  /// The answers to choose from, in words.
  var choices: [String] {
    answers.map { answer in
      let lamps =
        "\(answer.gone) of \(counted(report.createdObjects, "lamp")) "
        + "\(answer.gone == 1 ? "is" : "are") deinitialised"
      guard report.startedTasks > 0 else { return lamps }
      return lamps + ", \(answer.live) of \(counted(report.startedTasks, "task")) still live"
    }
  }

  /// The code.
  var code: [StyledText] { ["", StyledText("Program \(number)", .heading)] + listing }

  /// The whole question, for a place where nobody answers.
  var lines: [StyledText] {
    code + ["", StyledText("  " + Self.question)]
      + choices.enumerated().map { StyledText("    \($0 + 1)  \($1)") }
  }

  /// What is kept of an answer.
  func record(of place: Int, after time: Duration) -> AnswerRecord {
    AnswerRecord(
      item: "inventory/\(set)/\(number)", answer: choices[place], right: answers[place] == key,
      rule: rules[answers[place]], seconds: time.inTenths)
  }

  /// Code without what counts objects and tasks, which is no part of the program.
  static func shown(_ code: String) -> [StyledText] {
    code.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("pause()") && !$0.contains("Probe(") }
      .map { $0.isEmpty ? "" : StyledText("  " + $0.replacing(#/\(probe: "\w+"\)/#, with: "")) }
  }
}

extension Duration {
  /// In seconds, to a tenth.
  var inTenths: Double { (self / .seconds(1) * 10).rounded() / 10 }
}
