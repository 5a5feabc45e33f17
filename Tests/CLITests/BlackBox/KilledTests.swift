import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

/// A check that is not waited for. It writes its lines one by one, so that a test can wait for one.
private final class RunningCheck {
  private let process = Process()
  private let output = Pipe()
  let folder: URL

  /// Starts the check in an empty folder, with one of its own for temporary files.
  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "killed-\(UUID())")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "tmp"), withIntermediateDirectories: true)
    process.executableURL = MemlabBinary.folder.appending(path: "memlab")
    process.arguments = ["check"]
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging([
      "TMPDIR": folder.appending(path: "tmp").path, "HOME": folder.path,
      "XDG_CACHE_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
    ]) { $1 }
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  /// Waits for so many lines, kills the check, and waits until it is gone.
  ///
  /// - Returns: The bytes that it has written.
  func kill(after lines: Int) throws -> Data {
    let reader = output.fileHandleForReading
    var written = Data()
    while written.count(where: { $0 == UInt8(ascii: "\n") }) < lines {
      let part = reader.availableData
      if part.isEmpty { break }
      written += part
    }
    Foundation.kill(process.processIdentifier, SIGKILL)
    written += reader.readDataToEndOfFile()
    process.waitUntilExit()
    return written
  }

  /// Whether a signal has ended it, and not its own last line.
  var wasKilled: Bool { process.terminationReason == .uncaughtSignal }

  /// The files in its folder and below.
  var left: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0 != "tmp" }
    }
  }
}

// On the pool, what depends on the order of the jobs is not the same in each run.
@Suite("memlab check, interrupted and beside itself", .needsVirtualTime) struct KilledTests {
  private static let undisturbed = Result { try MemlabBinary.run(["check"]) }

  @Test(
    "leaves nothing behind when it is killed, and has written whole lines",
    arguments: [0, 1, 2, 7, 31, 64, 100])
  func killed(after lines: Int) throws {
    let check = try RunningCheck()
    defer { try? FileManager.default.removeItem(at: check.folder) }
    let written = try check.kill(after: lines)
    // Where this test has to wait for a processor, the last lines may be written meanwhile.
    #expect(check.wasKilled || lines > 0)
    #expect(try check.left == [])
    #expect(try Data(Self.undisturbed.get().stdout.utf8).starts(with: written))
    #expect(written.isEmpty || written.last == UInt8(ascii: "\n"))
    #expect(written.count { $0 == UInt8(ascii: "\n") } >= lines)
  }

  @Test("is not disturbed by a second one at the same time") func together() throws {
    let undisturbed = try Self.undisturbed.get()
    #expect(undisturbed.exitCode == 0 && undisturbed.stderr == "")
    let runs = Mutex<[Result<ProgramResult, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      let run = Result { try MemlabBinary.run(["check"]) }
      runs.withLock { $0.append(run) }
    }
    for run in runs.withLock({ $0 }) { #expect(try run.get() == undisturbed) }
  }
}
