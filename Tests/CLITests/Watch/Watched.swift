import Foundation
import MemlabCLI
import TestSupport
import Testing

extension Pipe {
  /// All that was written, once the programs that write have ended.
  func text() throws -> String {
    try fileHandleForWriting.close()
    return String(decoding: try fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  }
}

extension Data {
  /// A number in a program's file, of so many bytes.
  func number(_ place: Int, _ size: Int) -> Int {
    self[place..<place + size].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

/// A program that can be watched, and does what a test asks for.
///
/// Each request is answered when it has been done, so nothing waits for a time.
final class Watched {
  /// The process's number.
  let id: pid_t
  /// Where its socket and its snapshots are.
  let folder: URL
  private let process: Process
  private let input = Pipe()
  private let output = Pipe()
  private var unread = ""

  /// Starts a fixture under `memlab watch`, or by itself.
  ///
  /// - Parameters:
  ///   - options: what stands before the program on the command line; nil for the program alone.
  ///   - program: the fixture.
  ///   - environment: what it has besides the test's own.
  ///   - errors: where standard error goes.
  init(
    _ options: [String]? = [], program: URL = Watched.program,
    environment: [String: String] = [:], errors: FileHandle = .standardError
  ) throws {
    folder = try Scratch.folder(rights: 0o700)
    process = Process()
    if let options {
      process.executableURL = MemlabBinary.folder.appending(path: "memlab")
      process.arguments = ["watch"] + options + ["--", program.path]
    } else {
      process.executableURL = program
    }
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["MEMLAB_SOCKETS": folder.path]) { $1 }.merging(environment) { $1 }
    (process.standardInput, process.standardOutput) = (input, output)
    process.standardError = errors
    try process.run()
    var first = ""
    let handle = output.fileHandleForReading
    while !first.hasSuffix("\n"), let byte = try handle.read(upToCount: 1), !byte.isEmpty {
      first += String(decoding: byte, as: UTF8.self)
    }
    id = try #require(
      pid_t(first.dropFirst("ready ".count).trimmingCharacters(in: .whitespacesAndNewlines)),
      "\(first)")
  }

  /// A program that links nothing of memlab's.
  static let program = MemlabBinary.folder.appending(path: "WatchedProgram")
  /// The same with the product MemlabAgent.
  static let linkedProgram = staticProgram ?? MemlabBinary.folder.appending(path: "LinkedProgram")
  /// The programs in which every leak is planted. The second takes as long again, and reads the heap in
  /// the same way unless it has the runtime in itself, so it is there with `make linked` only.
  static let programs = [program] + (staticProgram.map { [$0] } ?? [])

  private static let staticProgram = ProcessInfo.processInfo.environment["MEMLAB_LINKED_PROGRAM"]
    .map { URL(filePath: $0) }

  /// Asks for something, and waits until it is done.
  ///
  /// - Returns: what the program says, without the last line.
  @discardableResult func `do`(_ request: String) throws -> [String] {
    try begin(request)
    var lines: [String] = []
    while true {
      let line = try nextLine()
      if line == "done" { return lines }
      lines.append(line)
    }
  }

  private func nextLine() throws -> String {
    while true {
      if let end = unread.firstIndex(of: "\n") {
        defer { unread = String(unread[unread.index(after: end)...]) }
        return String(unread[..<end])
      }
      let data = output.fileHandleForReading.availableData
      try #require(!data.isEmpty, "the program has ended")
      unread += String(decoding: data, as: UTF8.self)
    }
  }

  /// Runs memlab on it.
  func memlab(_ words: [String]) throws -> ProgramResult {
    try MemlabBinary.run(words, environment: ["MEMLAB_SOCKETS": folder.path])
  }

  /// The mappings of its memory, a line for each. What is read of such a file at once is a part of it.
  var maps: [Substring] {
    get throws {
      let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(id)/maps"))
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    }
  }

  /// Writes a snapshot.
  ///
  /// - Returns: its name.
  func snapshot(_ name: String) throws -> String {
    let path = folder.appending(path: name).path
    try memlab(["snapshot", "\(id)", path]).exits(0)
    return path
  }

  /// Tells it to end, and waits until it has.
  ///
  /// - Returns: the code that `memlab watch` ended with.
  func exit(_ code: Int) throws -> Int32 {
    try begin("exit \(code)")
    return end()
  }

  /// Asks for something, and does not wait.
  func begin(_ request: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((request + "\n").utf8))
  }

  /// Waits until it has ended.
  ///
  /// - Returns: the code that `memlab watch` ended with.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit { if process.isRunning { process.terminate() } }
}
