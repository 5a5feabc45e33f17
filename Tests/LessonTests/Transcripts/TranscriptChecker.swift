import TestSupport

/// Runs the commands of a transcript and compares what they print.
struct TranscriptChecker: Sendable {
  /// Runs memlab.
  let memlab: BlockChecker.Memlab

  /// What is wrong with the transcript, and the transcript as it should be.
  func check(_ block: FencedBlock) -> BlockResult {
    let transcript = Transcript(block.lines)
    if transcript.entries.isEmpty || transcript.startsWithOutput {
      return .bad("a transcript begins with a command after '$ '")
    }
    var playback = Playback(memlab: memlab)
    for (index, entry) in transcript.entries.enumerated() {
      let next = transcript.entries.dropFirst(index + 1).first
      playback.play(entry, next: next.map { TranscriptCommand($0.command) })
    }
    return playback.result
  }
}

/// Plays a transcript, command by command.
private struct Playback {
  let memlab: BlockChecker.Memlab
  private var problems: [(line: Int, message: String)] = []
  private var lines: [String] = []
  private var exitCode: Int32?
  private var isRenewable = true
  private var isLeftOut = false

  init(memlab: @escaping BlockChecker.Memlab) { self.memlab = memlab }

  var result: BlockResult {
    return BlockResult(problems: problems, renewed: !problems.isEmpty && isRenewable ? lines : nil)
  }

  mutating func play(_ entry: Transcript.Entry, next: TranscriptCommand?) {
    lines.append("$ " + entry.command)
    switch TranscriptCommand(entry.command) {
    case .memlab(let arguments, _) where !OtherSwift.canRun(arguments):
      isLeftOut = true
      lines += entry.output
    case .memlab(let arguments, let variables):
      isLeftOut = false
      run(entry, arguments, next: next) { [memlab] in try memlab(arguments, variables) }
    case .ourLab(let arguments):
      isLeftOut = false
      run(entry, arguments, next: next) { try MemlabBinary.run(arguments, of: "OurLab") }
    case .exitCode where isLeftOut: lines += entry.output
    case .exitCode:
      if let exitCode {
        compare(entry, with: ["\(exitCode)"])
      } else {
        refuse(entry, "there is no exit code before the first run of memlab")
      }
    case .notRun:
      exitCode = nil
      if !entry.output.isEmpty { refuse(entry, "no test runs this, so no output may be shown") }
    case .refused(let reason): refuse(entry, reason)
    }
  }

  private mutating func run(
    _ entry: Transcript.Entry, _ arguments: [String], next: TranscriptCommand?,
    _ program: () throws -> ProgramResult
  ) {
    do {
      let result = try program()
      compare(entry, with: (result.stdout + result.stderr).outputLines)
      exitCode = result.exitCode
      guard result.exitCode != 0, next != .exitCode else { return }
      lines += ["$ echo $?", "\(result.exitCode)"]
      add("this ends with \(result.exitCode), and no '$ echo $?' follows", at: entry)
    } catch { refuse(entry, "it can't be run: \(error)") }
  }

  private mutating func compare(_ entry: Transcript.Entry, with output: [String]) {
    let shown = Elision(entry.output)
    if shown.matches(output)
      || Elision(OtherSwift.common(entry.output)).matches(OtherSwift.common(output))
      || OtherSwift.agrees(output, with: entry.output)
    {
      lines += entry.output
    } else if let shortened = shown.shortened(output) {
      lines += shortened
      add("this prints something else", at: entry, LineDiff.text(from: entry.output, to: shortened))
    } else {
      refuse(entry, "what is shown between two lines '…' is printed no more; edit it by hand")
    }
  }

  private mutating func refuse(_ entry: Transcript.Entry, _ message: String) {
    isRenewable = false
    problems.append((entry.line, "'\(entry.command)': \(message)"))
  }

  private mutating func add(
    _ message: String, at entry: Transcript.Entry, _ difference: String? = nil
  ) {
    let details = difference.map { "\n\($0)" } ?? ""
    problems.append((entry.line, "'\(entry.command)': \(message); \(Recording.remedy)\(details)"))
  }
}

extension String {
  /// The lines of a program's output; an end without a newline is shown as a line of its own.
  var outputLines: [String] {
    guard !isEmpty else { return [] }
    let lines = newlineSeparated
    return lines.last == "" ? Array(lines.dropLast()) : lines + ["\\ no newline at the end"]
  }
}
