import Foundation

/// The server, watched, on a port of its own.
final class RunningServer {
  /// The process's number.
  let id: Int
  /// The port that it serves.
  let port: Int
  /// What it has said first.
  let greeting: String
  private let process = Process()

  /// Starts the server, and waits until it serves.
  ///
  /// - Parameters:
  ///   - memlab: memlab's program.
  ///   - options: what `memlab watch` and the server are given, without the port.
  ///   - environment: where the socket is.
  init(memlab: URL, options: [String], environment: [String: String]) throws {
    process.executableURL = memlab
    process.arguments = ["watch"] + options + ["--port", "0"]
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var line = ""
    while !line.hasSuffix("\n"),
      let byte = try output.fileHandleForReading.read(upToCount: 1), !byte.isEmpty
    { line += String(decoding: byte, as: UTF8.self) }
    let numbers = line.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 2 else { throw NotStarted(line: line) }
    (id, port) = (numbers[0], numbers[1])
    greeting = line.trimmed
  }

  /// Ends the server as an operator would, and waits until it has ended.
  ///
  /// - Returns: the code that `memlab watch` ended with.
  func stop() -> Int32 {
    process.terminate()
    process.waitUntilExit()
    return process.terminationStatus
  }

  deinit { if process.isRunning { process.terminate() } }

  /// The server has said something else, or nothing.
  struct NotStarted: Error {
    /// What it has said.
    let line: String
  }
}
