import Foundation

/// Runs a body on a thread of its own and waits for it without blocking the cooperative pool.
///
/// Tests run on the pool. A body that waits for other tasks with its thread, as a pool scheduler
/// does, would take the threads that those tasks need.
public func offPool<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result(catching: body)) }
  }
}
