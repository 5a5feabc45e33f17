/// Closures that somebody else will call: what a notification centre, an event loop and a queue have
/// in common. An app has them as long as it runs.
final class Callbacks {
  private var entries: [(id: Int, call: () -> Void)] = []
  private var latest = 0

  /// How many closures it holds.
  var count: Int { entries.count }

  /// Holds a closure.
  ///
  /// - Returns: what ``remove(_:)`` takes.
  @discardableResult
  func add(_ call: @escaping () -> Void) -> Int {
    latest += 1
    entries.append((latest, call))
    return latest
  }

  /// Releases a closure.
  func remove(_ id: Int) { entries.removeAll { $0.id == id } }

  /// Calls each closure, and keeps it.
  func callAll() { for entry in entries { entry.call() } }

  /// Calls each closure, the oldest first, and releases it.
  func drain() { while !entries.isEmpty { entries.removeFirst().call() } }
}
