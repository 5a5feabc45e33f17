extension HeapSnapshot {
  /// A thread that waits, other than the calling one, and whose stack refers to an object or to what
  /// holds it. What it refers to may be the slot of a variable that is dead already.
  ///
  /// - Returns: `thread "loader"`, or `a thread` for one without a name; nil when there is none.
  public func thread(referringTo object: AnyObject) -> String? {
    let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    guard let block = survey.block(at: address) else { return nil }
    let holder = ThreadStacks(searching: [], in: survey).waiting().first { _, blocks in
      survey.reached(from: blocks)[block]
    }
    return holder.map { $0.thread.name.map { "thread \"\($0)\"" } ?? "a thread" }
  }
}
