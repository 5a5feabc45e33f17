import Dispatch
package import Foundation

/// A program to run as a black box.
package struct Program: Sendable {
  /// Where it is.
  package var executable: URL

  /// The program in this file.
  package init(_ executable: URL) { self.executable = executable }

  /// Runs the program and waits until it has ended.
  ///
  /// - Parameters:
  ///   - arguments: The arguments, without the program's name.
  ///   - stdin: What it may read.
  ///   - stdout: Where its standard output goes.
  ///   - environment: Variables to add to those of this process, or to remove (nil) from them.
  ///   - limit: When to kill it: a program that never ends must fail its test, not stop all others.
  /// - Throws: What Foundation throws when the program can't be started.
  package func run(
    _ arguments: [String] = [], stdin: String = "", stdout: StandardOutput = .captured,
    environment: [String: String?] = [:], limit: Duration = .seconds(900)
  ) throws -> ProgramResult {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment)
    let input = try Self.unnamedFile(holding: stdin)
    process.standardInput = input
    let errors = Pipe()
    process.standardError = errors
    let output = try Self.connect(process, to: stdout)
    // A process that has ended keeps its handles for as long as somebody keeps the process; a
    // thousand runs later, Foundation trips over the number of open files.
    defer {
      for handle in [input, output?.fileHandleForReading, errors.fileHandleForReading] {
        try? handle?.close()
      }
    }
    return try Self.finish(process, output: output, errors: errors, limit: limit)
  }

  /// Runs the program as ``run(_:stdin:stdout:environment:limit:)`` does, while other tests go on.
  ///
  /// For programs that wait more than they compute: a test that waits for one in the usual way keeps a
  /// thread of the pool from all other tests. At most eight run at the same time.
  ///
  /// - Throws: what Foundation throws when the program can't be started.
  package func runBesideTests(
    _ arguments: [String], environment: [String: String?], limit: Duration
  ) async throws -> ProgramResult {
    let result = await withUnsafeContinuation { continuation in
      // A thread, not a task: tests may occupy every thread that tasks run on.
      Thread.detachNewThread {
        Self.places.wait()
        let result = Result { try run(arguments, environment: environment, limit: limit) }
        Self.places.signal()
        continuation.resume(returning: result)
      }
    }
    return try result.get()
  }

  private static let places = DispatchSemaphore(value: 8)

  private static func connect(_ process: Process, to stdout: StandardOutput) throws -> Pipe? {
    switch stdout {
    case .captured:
      let pipe = Pipe()
      process.standardOutput = pipe
      return pipe
    case .file(let path):
      process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    case .closedPipe:
      let pipe = Pipe()
      try pipe.fileHandleForReading.close()
      process.standardOutput = pipe.fileHandleForWriting
    }
    return nil
  }

  /// Both pipes are read while the program runs: one that fills a pipe waits for its reader.
  private static func finish(
    _ process: Process, output: Pipe?, errors: Pipe, limit: Duration
  ) throws -> ProgramResult {
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let stdout = output.map { BackgroundReader($0.fileHandleForReading) }
    let stderr = BackgroundReader(errors.fileHandleForReading)
    let isLate = ended.wait(timeout: .now() + limit / .seconds(1)) == .timedOut
    if isLate {
      kill(process.processIdentifier, SIGKILL)
      ended.wait()
    }
    let remark = isLate ? "\nkilled, because it had not ended after \(limit)\n" : ""
    let isSignal = process.terminationReason == .uncaughtSignal
    return ProgramResult(
      stdout: stdout?.text() ?? "", stderr: stderr.text() + remark,
      exitCode: process.terminationStatus + (isSignal ? 128 : 0))
  }

  /// A file rather than a pipe: a program that ends without reading it all harms nobody.
  private static func unnamedFile(holding text: String) throws -> FileHandle {
    let file = Scratch.place()
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try FileHandle(forReadingFrom: file)
  }
}

extension [String: String] {
  fileprivate func merging(_ changes: [String: String?]) -> [String: String] {
    var merged = self
    for (name, value) in changes { merged[name] = value }
    return merged
  }
}
