import Foundation
import TestSupport

/// Where a transcript is played: the server that runs, and a folder for the snapshots.
///
/// What differs from one run to the next is written as the lesson has it: the process is 4711, the port
/// 8080, and it has run for 20 seconds.
final class Stage {
  private let folder: URL
  private let memlab: URL
  private var server: RunningServer?
  // Whether it may still have to do with what it was asked.
  private var isBusy = false

  /// What a command has printed, and the code that it ended with.
  struct Result {
    /// The lines, those of standard error behind those of standard output.
    var lines: [String]
    /// The code.
    var code: Int32
  }

  /// A stage with nothing on it.
  init() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../../..").standardizedFileURL
    let chosen = ProcessInfo.processInfo.environment["MEMLAB_PROGRAM"]
    memlab = chosen.map { URL(filePath: $0) } ?? root.appending(path: ".build/debug/memlab")
    folder = FileManager.default.temporaryDirectory.appending(path: "memlab-\(getpid())")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Runs the command of a transcript; nil where nothing runs it.
  func run(_ command: String) throws -> Result? {
    let words = try CommandLineWords.split(command)
    if words.starts(with: ["swift", "run", "memlab", "watch"]) {
      _ = try stop()
      let server = try RunningServer(
        memlab: memlab, options: try options(Array(words.dropFirst(4))), environment: environment)
      self.server = server
      return Result(lines: [written(server.greeting)], code: 0)
    }
    if words.starts(with: ["swift", "run", "memlab"]) {
      if isBusy { try waitUntilNothingHappens() }
      isBusy = false
      return try run(memlab, Array(words.dropFirst(3)))
    }
    switch words.first {
    case "curl":
      isBusy = true
      return try run(URL(filePath: "/usr/bin/env"), words)
    case "kill": return Result(lines: [], code: try stop())
    case "swift", "make", "cd": return nil
    default: throw Unknown(command: command)
    }
  }

  // The lesson names the server by its path in the checkout.
  private func options(_ words: [String]) throws -> [String] {
    let name = "Tests/Fixtures/GrowingServer/.build/debug/GrowingServer"
    let built = Bundle.main.executableURL!.deletingLastPathComponent()
      .appending(path: "GrowingServer").path
    guard words.contains(name) else { throw Unknown(command: words.joined(separator: " ")) }
    return words.map { $0 == name ? built : $0 }
  }

  /// Ends the server.
  ///
  /// - Returns: the code that it ended with.
  func stop() throws -> Int32 {
    defer { server = nil }
    return server?.stop() ?? 0
  }

  private var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["MEMLAB_SOCKETS": folder.path]) { $1 }
  }

  private func run(_ program: URL, _ words: [String]) throws -> Result {
    let process = Process()
    process.executableURL = program
    process.arguments = words.map(real)
    process.environment = environment
    process.currentDirectoryURL = folder
    let (output, errors) = (Pipe(), folder.appending(path: "errors"))
    try Data().write(to: errors)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let all = String(decoding: text + (try Data(contentsOf: errors)), as: UTF8.self)
    let lines = all.newlineSeparated
    return Result(
      lines: (lines.last == "" ? lines.dropLast() : lines).map(written),
      code: process.terminationStatus)
  }

  private func real(_ word: String) -> String {
    guard let server else { return word }
    let address = "127.0.0.1:\(server.port)"
    return word == "4711" ? "\(server.id)" : word.replacing("localhost:8080", with: address)
  }

  private func written(_ line: String) -> String {
    guard let server else { return line }
    return line.replacing("process \(server.id)", with: "process 4711")
      .replacing("port \(server.port)", with: "port 8080")
      .replacing(/after \d+ seconds?/, with: "after 20 seconds")
  }

  /// Waits until the server has nothing left to do: no task runs or waits for its turn, and two looks in
  /// a row find as many of each class.
  private func waitUntilNothingHappens() throws {
    var before: [String: Int]?
    for _ in 0..<100 {
      let result = try run(memlab, ["top", "4711", "--format", "json"])
      let top = try JSONDecoder().decode(
        Top.self, from: Data(result.lines.joined(separator: "\n").utf8))
      if top.isIdle, top.counts == before { return }
      before = top.counts
    }
    throw Restless()
  }

  /// What `memlab top --format json` says.
  private struct Top: Decodable {
    var tasks: [Task]
    var things: [Thing]

    struct Task: Decodable { var running, enqueued: Int }
    struct Thing: Decodable {
      var title: String
      var live: Int
    }
    var isIdle: Bool { tasks.allSatisfy { $0.running + $0.enqueued == 0 } }

    // Libdispatch keeps memory for later calls; a server that waits for the next second has more of
    // it from time to time.
    var counts: [String: Int] {
      let own = things.filter { $0.title != "memory of C libraries" }
      return Dictionary(own.map { ($0.title, $0.live) }, uniquingKeysWith: +)
    }
  }

  /// The server never comes to rest.
  struct Restless: Error {}

  /// A command that transcripts here do not have.
  struct Unknown: Error {
    /// What it is.
    let command: String
  }
}
