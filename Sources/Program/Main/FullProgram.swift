import MemlabCLI
import MemlabPlatform
import MemlabTerminalText

/// `memlab-full`, the program with all commands, beside the one that runs.
enum FullProgram {
  private static let name = "memlab-full"
  private static let helps: Set = ["reset", "hint", "solution"]

  /// Whether a command line may be one that only the full program understands: whether one of its words
  /// names such a command. The full program has the others as well, so it is never wrong to ask it.
  static func isNeeded(for words: [String]) -> Bool {
    words.contains { Commands.isInFullProgram($0) || $0 == "--hunt" }
  }

  /// Runs a command line in the full program, in place of this one.
  ///
  /// - Returns: an exit code, where that is not possible; the reason has been written.
  static func replaceThis(_ words: [String]) -> ExitCode {
    guard let own = OwnProgram.path.flatMap(SystemCalls.realPath).map({ URL(filePath: $0) })
    else { return complain("this platform does not say where memlab is") }
    let folder = own.deletingLastPathComponent()
    let beside = folder.appending(path: name)
    let build = Build(of: folder)
    if let build, build.isDue(for: beside) {
      do {
        let isBuilt = try build.run(name) == 0
        // An exercise may be what does not compile. The program of before has what helps with it, too.
        guard isBuilt || words.contains(where: helps.contains) else { return .unexpected }
        // Where nothing had to be compiled, it would always look old.
        if isBuilt { utimes(beside.path, nil) }
      } catch {
        return complain("\(error)")
      }
    }
    let installed = folder.appending(path: "../lib/memlab/\(name)")
    for file in [beside, installed] where access(file.path, X_OK) == 0 {
      let arguments = ([name] + words).map { strdup($0) }
      execv(file.path, arguments + [nil])
      // Another memlab has it built. This waits for it: SwiftPM lets one build run at a time.
      if errno == ETXTBSY, (try? build?.run(name)) == 0 { execv(file.path, arguments + [nil]) }
      return complain("\(file.path) does not start: \(String(cString: strerror(errno)))")
    }
    return complain(
      "\(name), which has this command, is not beside \(own.path); build it with "
        + "'swift build --product \(name)'")
  }

  private static func complain(_ reason: String) -> ExitCode {
    try? Output.standardError.write("Error: \(reason).\n")
    return .untrusted
  }
}

/// A folder that SwiftPM builds this package in.
private struct Build {
  #if MEMLAB_PORTABLE
    private static let configuration = "MEMLAB_PORTABLE=1"
  #else
    private static let configuration = "MEMLAB_PORTABLE=0"
  #endif
  private let folder: URL
  // …/<scratch path>/<triple>/<configuration>
  private var scratch: URL { folder.deletingLastPathComponent().deletingLastPathComponent() }

  /// Nil where the folder is not one of this checkout's.
  init?(of folder: URL) {
    let isOne = access(folder.appending(path: "MemlabMain.build").path, R_OK) == 0
    guard isOne, access(Checkout.ofThisBuild.appending(path: "Package.swift").path, R_OK) == 0
    else { return nil }
    self.folder = folder
  }

  /// Whether a program is missing, or older than a source that it may be made of.
  func isDue(for program: URL) -> Bool {
    guard let built = Self.date(of: program) else { return true }
    guard !isOfTests else { return false }
    return ["Program", "Course", "Lab", "Heap"].contains { wing in
      let folder = Checkout.ofThisBuild.appending(path: "Sources/\(wing)")
      let files = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
      return files?.contains { Self.date(of: folder.appending(path: $0)) ?? built > built } ?? false
    }
  }

  private static func date(of file: URL) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: file.path))?[.modificationDate] as? Date
  }

  // Whether `swift test` has started this program. It has built all, and a build would wait for its end.
  // SwiftPM writes into its lock which process has it.
  private var isOfTests: Bool {
    let lock = try? String(contentsOf: scratch.appending(path: ".lock"), encoding: .utf8)
    guard let holder = lock.flatMap({ Int32($0.filter(\.isNumber)) }) else { return false }
    return sequence(first: getppid(), next: Self.parent).contains(holder)
  }

  // Where the kernel has no such files, nil.
  private static func parent(of process: Int32) -> Int32? {
    SystemCalls.statusFields(of: process).dropFirst().first.flatMap { Int32($0) }
  }

  /// Builds a product as this program was built.
  ///
  /// - Returns: the exit code of SwiftPM, which has said what is wrong.
  func run(_ product: String) throws(ChildProcessError) -> Int32 {
    try ChildProcess.runInTerminal(
      "/usr/bin/env",
      [
        Self.configuration, "swift", "build", "--package-path", Checkout.ofThisBuild.path,
        "--scratch-path", scratch.path, "--configuration", folder.lastPathComponent, "--product",
        product,
      ], output: 2
    ).code
  }
}
