extension HeapSnapshot {
  /// A thread of somebody's own that waits, and whose stack refers to an object or to what holds it.
  /// What it refers to may be the slot of a variable that is dead already.
  ///
  /// - Returns: `thread "loader"`, or `a thread` for one without a name; nil when there is none.
  public func thread(referringTo object: AnyObject) -> String? {
    guard let block = survey.block(of: object) else { return nil }
    let holders = ThreadStacks(searching: [], in: survey).waiting().filter { thread, blocks in
      !thread.isWorker && survey.reached(from: blocks)[block]
    }
    if let name = holders.lazy.compactMap(\.thread.name).first { return "thread \"\(name)\"" }
    return holders.isEmpty ? nil : "a thread"
  }
}
