import MemlabCLI
import MemlabFull
@_exported public import MemlabKit
import MemlabPlatform
import MemlabTerminalText
import MemlabWitness

/// A program around scenarios of your own, with memlab's whole command line.
///
/// ```swift
/// import Memlab
///
/// @main struct OurLab: MemlabApp {
///   static let scenarios = [cartReservation, chatReconnect]
/// }
/// ```
///
/// `swift run our-lab` then has `list`, `check`, `walk`, `matrix`, `graph`, `report` and the others;
/// `swift run our-lab --help` lists them.
public protocol MemlabApp {
  /// The scenarios, in the order in which `list` has them and `check` runs them.
  static var scenarios: [Scenario] { get }

  /// The word that starts the program, for help and for advice on what to type; by default the name
  /// of its executable.
  static var name: String { get }

  /// The file that `check --record` writes and `check` compares with, for endings that do not
  /// declare in code what they measure; from the folder of the package. By default
  /// `memlab-expected.txt`.
  static var expectedResults: String { get }

  /// What `--version` prints; by default the version of memlab.
  static var version: String { get }
}

extension MemlabApp {
  /// The name of the program's executable.
  public static var name: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map(String.init) ?? "memlab"
  }

  /// `memlab-expected.txt`.
  public static var expectedResults: String { "memlab-expected.txt" }

  /// The version of memlab.
  public static var version: String { MemlabCLI.Memlab.version }

  /// Runs the program with the words of its command line, and ends it.
  ///
  /// Synchronous, because the deterministic scheduler must be there before the first task is.
  public static func main() {
    var app = App(
      name: name, version: version, scenarios: scenarios, heap: RealHeap.self,
      commands: Commands.full)
    app.expectedFile = ExpectedFile(expectedResults, besideSource: scenarios.first?.path)
    exit(MemlabCLI.Memlab(app).runUntested(OwnProgram.words).rawValue)
  }
}
