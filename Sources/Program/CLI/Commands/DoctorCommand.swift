import MemlabKit
import MemlabTerminalText

/// `memlab doctor`: whether memlab can be trusted on this machine, to be pasted into a bug report.
enum DoctorCommand: Command {
  static func spec(of app: App) -> CommandSpec {
    CommandSpec(
      "doctor",
      abstract: "Tell whether memlab can be trusted here.",
      discussion: """
        Checks what memlab depends on, both witnesses, the executors and the clock, and says what it \
        runs on; paste it into a bug report. Exits with 70 when anything is not as it should be.
        """,
      options: [
        .flag(
          "verbose",
          help: "Also list the table that the heap is read by, and whether each row was read back "
            + "as planted."),
        .scheduler, .color,
      ])
  }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let terminal = session.terminal(for: invocation)
    let table = session.runtimeTable()
    let found =
      [Diagnosis("memlab", Memlab.version)] + Diagnosis.runtime + [table.summary]
      + SystemFacts.diagnoses + machinery(invocation, in: session)
      + SystemFacts.display(session.output, terminal)
    let width = found.map(\.name.displayWidth).max() ?? 0
    for diagnosis in found {
      let line = line(diagnosis, width: width)
      try session.output.write(line.rendered(color: terminal.usesColor) + "\n")
    }
    if invocation.flag("verbose"), let check = table.check {
      for line in RuntimeTableLines.lines(of: check) {
        try session.output.write(line.rendered(color: terminal.usesColor) + "\n")
      }
    }
    let isSound = found.allSatisfy { $0.isSound != false }
    let trusted =
      HeapWitness.isPart
      ? "memlab can be trusted here" : "what memlab counts can be trusted here"
    let verdict = isSound ? trusted : "memlab CANNOT be trusted here"
    try session.output.write("\n\(verdict)\n")
    return isSound ? .success : .untrusted
  }

  private static func line(_ diagnosis: Diagnosis, width: Int) -> StyledText {
    let mark: StyledText =
      switch diagnosis.isSound {
      case true: StyledText("✓", .clean)
      case false: StyledText("✗", .leaked)
      default: " "
      }
    return mark + StyledText(" \(diagnosis.name.padded(to: width))  \(diagnosis.text)")
  }

  /// The scheduler, then each witness on it; what cannot be tried for want of another is left out.
  private static func machinery(_ invocation: Invocation, in session: Session) -> [Diagnosis] {
    let name = invocation.scheduler
    let scheduler: any Scheduler
    do {
      scheduler = try session.scheduler(name)
    } catch {
      return [Diagnosis("executors", isSound: false, "\(error)")]
    }
    let works =
      switch name {
      case .virtual: "memlab's own; a task that slept for 1 s took none"
      case .pool: "the pool's" + (VirtualScheduler.obstacle.map { ": \($0)" } ?? "")
      }
    let (heap, witness) = heapWitness(on: scheduler, in: session)
    return [
      Diagnosis("executors", isSound: true, works), heap,
      selfCheck(on: scheduler, witness, in: session),
    ]
  }

  private static func heapWitness(
    on scheduler: any Scheduler, in session: Session
  ) -> (Diagnosis, HeapWitness?) {
    do {
      let witness = try session.witness(scheduler)
      return (Diagnosis("heap", isSound: true, "a planted graph is read back exactly"), witness)
    } catch {
      return (Diagnosis("heap", isSound: HeapWitness.isPart ? false : nil, "\(error)"), nil)
    }
  }

  private static func selfCheck(
    on scheduler: any Scheduler, _ witness: HeapWitness?, in session: Session
  ) -> Diagnosis {
    do {
      try session.selfCheck.run(on: scheduler, witness: witness)
      return Diagnosis(
        "ledger", isSound: true, "a planted leak is seen, a planted clean run is silent")
    } catch {
      return Diagnosis("ledger", isSound: false, "\(error)")
    }
  }
}
