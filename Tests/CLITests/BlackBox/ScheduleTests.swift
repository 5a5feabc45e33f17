import Foundation
import MemlabKit
import MemlabScenarios
import Synchronization
import TestSupport
import Testing

@Suite("In other orders of the same jobs", .needsVirtualTime) struct ScheduleTests {
  @Test("every ending measures what it declares, in all orders or in as many as are run")
  func catalog() throws { try MemlabBinary.run(["check", "--schedules", Self.orders]).exits(0) }
  private static let orders = Slow.isOn ? "all:300" : "all:40"

  @Test("left to luck are those of as many endings as are named") func seed() throws {
    try MemlabBinary.run(["check", "retain-cycle", "--schedules", "seed:7"]).exits(0)
      .says("\n1 scenario, 2 endings: 2 as declared, 0 not\n")
  }

  @Test(
    "is bad usage what no order can be",
    arguments: [
      (["check", "--schedules", "some"], "Give a whole number from 1 to 1000000, all, all:50000"),
      (["check", "--schedules", "all", "--scheduler", "pool"], "the order of the jobs is the"),
      (["strong-self", "--schedules", "3", "--instances", "2"], "not both."),
      (["check", "retain-cycle", "--schedules", "replay:5=2"], "and 2 are to be run in the order"),
      (["check", "--family", "stream", "--schedules", "replay:1=2"], "with '--ending', one"),
      (["strong-self", "--schedules", "replay:1=2"], "and 3 are to be run in the order"),
    ])
  func usage(words: [String], sentence: String) throws {
    try MemlabBinary.run(words).exits(64).saysNothing().complains(sentence)
  }
}

@Suite("On the runtime's own pool of threads") struct PoolTests {
  @Test("every ending measures what it declares, and the same as on one thread")
  func catalog() throws {
    let words = ["check"] + Slow.all(Catalog.scenarios.map(\.id), orEach: 3)
    let pool = try MemlabBinary.run(words + ["--scheduler", "pool"]).exits(0)
    let virtual = try MemlabBinary.run(words)
    #expect(pool.stderr == virtual.stderr)
    #expect(Self.settled(pool.stdout) == Self.settled(virtual.stdout))
  }

  /// What is printed, but for endings that depend on the order, which is the machine's on the pool.
  private static func settled(_ output: String) -> [String] {
    let free = Catalog.scenarios.flatMap { scenario in
      scenario.endings.filter { !$0.expects.inOtherOrders.isEmpty }.map { [scenario.id, $0.name] }
    }
    return output.newlineSeparated.filter { line in
      !free.contains(line.split(separator: " ").dropFirst().prefix(2).map(String.init))
    }
  }
}

// On the pool, what the runtime keeps for itself varies by more than two instances leave behind.
@Suite("Run many times over", .needsHeap, .needsVirtualTime) struct InstancesTests {
  @Test(
    "each leak grows, and each clean ending does not",
    arguments: Slow.all(Catalog.scenarios.map(\.id), orEach: 4))
  func catalog(id: String) throws { try MemlabBinary.run([id, "--instances", "2"]).exits(0) }

  @Test("is told of in JSON, memlab.growth/1, where that is asked for") func json() throws {
    let run = try MemlabBinary.run(["retain-cycle", "--instances", "2", "--format", "json"])
    #expect(run.stdout.hasPrefix("{\n  \"schema\" : \"memlab.growth/1\",\n"))
    let document = try JSONDecoder().decode(Document.self, from: Data(run.stdout.utf8))
    #expect(document.scenario == "retain-cycle")
    #expect(document.asExpected)
    #expect(document.endings.map(\.ending) == ["drop", "cut"])
    #expect(document.endings.map(\.trend) == ["grows", "steady"])
    let drop = document.endings[0]
    #expect(drop.instances == 2)
    #expect(drop.liveBlocks.count == 6 && drop.liveBytes.count == 6)
    #expect(drop.blocksPerInstance > 0 && drop.bytesPerInstance > 0 && drop.fit > 0.9)
  }

  private struct Document: Decodable {
    struct Result: Decodable {
      let ending, trend: String
      let instances: Int
      let liveBlocks, liveBytes: [Int]
      let bytesPerInstance, blocksPerInstance, fit: Double
      let asExpected: Bool
    }
    let scenario: String
    let asExpected: Bool
    let endings: [Result]
  }
}

/// A check that is not waited for. It writes its lines one by one, so that a test can wait for one.
private final class RunningCheck {
  private let process = Process()
  private let output = Pipe()
  let folder: URL

  /// Starts the check in an empty folder, with one of its own for temporary files.
  init() throws {
    folder = Scratch.place()
    try FileManager.default.createDirectory(
      at: folder.appending(path: "tmp"), withIntermediateDirectories: true)
    process.executableURL = MemlabBinary.folder.appending(path: "memlab")
    process.arguments = ["check"]
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging([
      "TMPDIR": folder.appending(path: "tmp").path, "HOME": folder.path,
      "XDG_CACHE_HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
    ]) { $1 }
    (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
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
  @Test(
    "leaves nothing behind when it is killed, and has written whole lines",
    arguments: [0, 1, 2, 7, 31, 64, 100])
  func killed(after lines: Int) throws {
    let check = try RunningCheck()
    let written = try check.kill(after: lines)
    // Where this test has to wait for a processor, the last lines may be written meanwhile.
    #expect(check.wasKilled || lines > 0)
    #expect(try check.left == [])
    #expect(try Data(FirstRuns.run(["check"]).stdout.utf8).starts(with: written))
    #expect(written.isEmpty || written.last == UInt8(ascii: "\n"))
    #expect(written.count { $0 == UInt8(ascii: "\n") } >= lines)
  }

  @Test("is not disturbed by a second one at the same time") func together() throws {
    let undisturbed = try FirstRuns.run(["check"])
    #expect(undisturbed.exitCode == 0 && undisturbed.stderr == "")
    let runs = Mutex<[Result<ProgramResult, any Error>]>([])
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      let run = Result { try MemlabBinary.run(["check"]) }
      runs.withLock { $0.append(run) }
    }
    for run in runs.withLock({ $0 }) { #expect(try run.get() == undisturbed) }
  }
}
