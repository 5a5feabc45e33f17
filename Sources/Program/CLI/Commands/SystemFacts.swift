import MemlabKit
import MemlabTerminalText

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
      Diagnosis(
        "processor", "\(text(of: name.machine)), \(processors), pages of \(page) KiB"),
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
    withUnsafeBytes(of: field) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
