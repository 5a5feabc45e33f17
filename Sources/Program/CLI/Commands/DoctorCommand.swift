import MemlabHeapModel
import MemlabKit
import MemlabTerminalText

/// `memlab doctor`: whether memlab can be trusted on this machine, to be pasted into a bug report.
enum DoctorCommand: Command {
  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let terminal = session.terminal(for: invocation)
    let table = session.app.heap.checkTable()
    let found =
      [Diagnosis("memlab", Memlab.version)] + session.app.heap.diagnoses + table.summary
      + SystemFacts.diagnoses + machinery(invocation, in: session)
      + SystemFacts.display(session.output, terminal)
    let width = found.map(\.name.displayWidth).max() ?? 0
    try session.write(found.map { line($0, width: width) }, for: invocation)
    if invocation.flag("verbose"), let check = table.check {
      try session.write(lines(of: check), for: invocation)
    }
    let isSound = found.allSatisfy { $0.isSound != false }
    let trusted = "\(session.app.heap.isPart ? "memlab" : "what memlab counts") can be trusted here"
    let verdict = isSound ? trusted : "memlab CANNOT be trusted here"
    try session.output.write("\n\(verdict)\n")
    return isSound ? .success : .untrusted
  }

  private static func line(_ diagnosis: Diagnosis, width: Int) -> StyledText {
    mark(diagnosis.isSound, else: " ")
      + StyledText(" \(diagnosis.name.padded(to: width))  \(diagnosis.text)")
  }

  // What stands before a line: whether all is well, or something else where that was not tried.
  private static func mark(_ isSound: Bool?, else other: StyledText) -> StyledText {
    isSound.map { $0 ? StyledText("✓", .clean) : StyledText("✗", .leaked) } ?? other
  }

  /// The scheduler, then each witness on it; what cannot be tried for want of another is left out.
  private static func machinery(_ invocation: Invocation, in session: Session) -> [Diagnosis] {
    let name = invocation.scheduler
    let scheduler: any Scheduler
    do { scheduler = try session.scheduler(name) } catch {
      return [Diagnosis("executors", isSound: false, "\(error)")]
    }
    let works =
      switch name {
      case .virtual: "memlab's own; a task that slept for 1 s took none"
      case .pool: "the pool's" + (VirtualScheduler.obstacle.map { ": \($0)" } ?? "")
      }
    var witness: (any HeapWitness)?
    let heap = diagnosis(
      "heap", "a planted graph is read back exactly", isNeeded: session.app.heap.isPart
    ) { witness = try session.app.heap.witness() }
    let ledger = diagnosis("ledger", "a planted leak is seen, a planted clean run is silent") {
      try session.selfCheck.run(on: scheduler, witness: witness)
    }
    return [Diagnosis("executors", isSound: true, works), heap, ledger]
  }

  private static func diagnosis(
    _ name: String, _ text: String, isNeeded: Bool = true, _ test: () throws -> Void
  ) -> Diagnosis {
    do {
      try test()
      return Diagnosis(name, isSound: true, text)
    } catch {
      return Diagnosis(name, isSound: isNeeded ? false : nil, "\(error)")
    }
  }

  // The columns of the table that the heap is read by: 80 in all.
  private static let (name, value, source) = (24, 22, 28)

  // A line for each row of that table, and one for each thing that cannot be told.
  private static func lines(of check: RuntimeTableCheck) -> [StyledText] {
    let title = StyledText("the runtime table for \(check.column), with the files of its sources")
    return ["", title] + check.rows.map(line) + check.losses.map { StyledText($0, .leaked) }
  }

  private static func line(_ row: RuntimeTableCheck.Row) -> StyledText {
    let mark = mark(row.agrees, else: row.isUsed ? "?" : "–")
    let file = row.source.split(separator: "/").last.map(String.init) ?? row.source
    let cells = [(row.name, name), (row.value, value)].map { $0.truncated(to: $1).padded(to: $1) }
    return mark + StyledText(" \(cells.joined(separator: " ")) \(file.truncated(to: source))")
  }
}

/// What the operating system says of itself and of where the output goes.
enum SystemFacts {
  /// The system and its processors.
  static var diagnoses: [Diagnosis] {
    var name = utsname()
    uname(&name)
    let processors = counted(ProcessInfo.processInfo.activeProcessorCount, "processor")
    let page = sysconf(Int32(_SC_PAGESIZE)) / 1024
    return [
      Diagnosis("system", "\(text(of: name.sysname)) \(text(of: name.release))"),
      Diagnosis("processor", "\(text(of: name.machine)), \(processors), pages of \(page) KiB"),
    ]
  }

  /// What the place that the output goes to can show, and the variables that decide on it.
  static func display(_ output: Output, _ terminal: Terminal) -> [Diagnosis] {
    let kind = terminal.isInteractive ? "a terminal" : "no terminal"
    let color = terminal.usesColor ? "colours" : "no colours"
    return [
      Diagnosis("output", "\(kind), \(terminal.width) columns, \(color)"),
      Diagnosis("variables", variables(["TERM", "COLUMNS", "NO_COLOR"])),
      Diagnosis("locale", variables(["LANG", "LC_ALL", "LC_CTYPE"])),
    ]
  }

  private static func variables(_ names: [String]) -> String {
    names.map { name in
      SystemCalls.environment(name).map { "\(name)=\(quoted($0))" } ?? "\(name) is not set"
    }.joined(separator: ", ")
  }

  private static func text<Tuple>(of field: Tuple) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
