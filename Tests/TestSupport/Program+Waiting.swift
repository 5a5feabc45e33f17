import Foundation

extension Program {
  /// Runs the program as ``run(_:stdin:stdout:environment:limit:)`` does, while other tests go on.
  ///
  /// For programs that wait more than they compute: a test that waits for one in the usual way keeps a
  /// thread of the pool from all other tests. At most eight run at the same time.
  ///
  /// - Throws: what Foundation throws when the program can't be started.
  package func runBesideTests(
    _ arguments: [String], environment: [String: String?], limit: Duration
  ) async throws -> ProgramResult {
    await Self.places.take()
    let result = await withUnsafeContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: Result { try run(arguments, environment: environment, limit: limit) })
      }
    }
    await Self.places.giveBack()
    return try result.get()
  }

  private static let places = Places(8)
}

/// Lets a number of tasks do something at the same time, in the order in which they came.
private actor Places {
  private var free: Int
  private var waiting: [UnsafeContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    if free > 0 {
      free -= 1
    } else {
      await withUnsafeContinuation { waiting.append($0) }
    }
  }

  func giveBack() {
    if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
  }
}
