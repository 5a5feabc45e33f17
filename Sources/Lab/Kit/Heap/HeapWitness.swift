import MemlabHeapModel
import MemlabHeapReader

/// The second witness: reads the real heap and does not know what the probes have reported.
package struct HeapWitness: Sendable {
  /// What it cannot tell here, as a sentence; nil where it knows everything that it should.
  package let remark: String?

  /// Whether this configuration of memlab has a second witness: the portable one has none.
  package static var isPart: Bool { RuntimeFacts.readsHeap }

  /// Makes a witness that has proved itself in this process. The self-check runs its own tasks, so a
  /// scheduler has no part in it.
  ///
  /// - Throws: ``HeapUnreadable`` when the heap is not recorded in this build, or when what was
  ///   planted is not read back exactly.
  package init() throws(HeapUnreadable) {
    let losses = try Self.reading { try HeapSelfCheck.run() }
    remark = losses.isEmpty ? nil : losses.joined(separator: "; ")
  }

  /// Forgets the blocks of earlier trials and records from here on.
  func start() { HeapRecording.start() }

  /// Stops recording. Read first: what is freed from now on would still be listed.
  func stop() { HeapRecording.stop() }

  /// Reads the heap as it is now, and goes on recording. What the reading takes is not recorded.
  ///
  /// - Parameters:
  ///   - types: the types to look for.
  ///   - variables: the names of the trial's variables, by their addresses.
  /// - Throws: ``HeapUnreadable`` when the heap cannot be read after all.
  func glance(
    _ types: [any AnyObject.Type], variables: [UInt: String]
  ) throws(HeapUnreadable) -> (report: HeapReport, map: HolderMap) {
    try Self.reading {
      #if MEMLAB_PORTABLE
        throw HeapError.unread
      #else
        return try HeapRecording.withoutRecording {
          let snapshot = try HeapSnapshot.take(variables: variables)
          try agree(snapshot)
          let names = types.map { TypeName.qualified($0) }
          let report = snapshot.report(on: names, detail: .everything)
          return (report: report, map: snapshot.holders(of: names))
        }
      #endif
    }
  }

  /// Reads the heap as it is now.
  ///
  /// - Parameters:
  ///   - types: the types to look for.
  ///   - detail: how much is to be found out.
  /// - Throws: ``HeapUnreadable`` when the heap cannot be read after all.
  func read(
    _ types: [any AnyObject.Type], detail: HeapDetail
  ) throws(HeapUnreadable) -> HeapReport {
    try Self.reading {
      #if MEMLAB_PORTABLE
        throw HeapError.unread
      #else
        let names = types.map { TypeName.qualified($0) }
        let tracing = detail == .everything ? HeapTracing.everything : .survivors(of: Set(names))
        let snapshot = try HeapSnapshot.take(tracing: tracing)
        try agree(snapshot)
        return snapshot.report(on: names, detail: detail)
      #endif
    }
  }

  private static func reading<Result>(
    _ body: () throws -> Result
  ) throws(HeapUnreadable) -> Result {
    do { return try body() } catch { throw HeapUnreadable(reason: "\(error)") }
  }

  #if !MEMLAB_PORTABLE
    // Where the runtime lists its tasks itself, it is a third witness.
    private func agree(_ snapshot: HeapSnapshot) throws(HeapError) {
      if let fault = snapshot.survey.listingFault { throw HeapError.unknownRuntime(fault) }
    }
  #endif
}

/// The heap cannot be read in this process; the ledger's counts stand alone.
package struct HeapUnreadable: Error, CustomStringConvertible {
  /// Why, a clause.
  let reason: String

  /// A heap that cannot be read for this reason, a clause.
  package init(reason: String) { self.reason = reason }

  /// A sentence without its full stop.
  package var description: String { "the heap was not read: \(reason)" }
}

/// The two witnesses do not say the same, so neither can be believed.
struct Disagreement: Error, CustomStringConvertible {
  /// What they disagree about, a sentence for each count.
  let sentences: [String]

  var description: String { "the witnesses disagree: " + sentences.joined(separator: "; ") }

  /// Every count on which ledger and heap differ, as a sentence with both numbers.
  ///
  /// - Parameters:
  ///   - totals: what the ledger counts.
  ///   - heap: what the heap has.
  ///   - uncounted: how many tasks are declared to be alive that nobody counts.
  ///   - isOver: whether the steps are over. Before, tasks may be alive that nobody counts because
  ///     they end with one that is counted: the children of `async let`.
  static func all(
    between totals: Totals, and heap: HeapReport, uncounted: Int = 0, isOver: Bool = true
  ) -> [String] {
    var sentences = totals.objects.compactMap { count -> String? in
      let seen = heap.alive[count.type, default: 0]
      guard seen != count.alive else { return nil }
      return "the ledger counts \(count.alive) \(count.type) alive, the heap has \(seen)"
    }
    let expected = totals.liveTasks + uncounted
    if isOver ? expected != heap.liveTasks : totals.liveTasks > heap.liveTasks {
      let declared = uncounted == 0 ? "" : " and \(uncounted) of libraries are declared"
      sentences.append(
        "the ledger counts \(totals.liveTasks) live tasks\(declared), the heap has "
          + "\(heap.liveTasks)" + advice(heap.liveTasks - totals.liveTasks, isOver: isOver))
    }
    return sentences
  }

  // A task that was never named is either the author's own or a library's.
  private static func advice(_ more: Int, isOver: Bool) -> String {
    guard isOver, more > 0 else { return "" }
    return " (name the others with Task(probe:); if a library has started them, say "
      + ".leaving(libraryTasks: \(more)))"
  }

  /// Every object that something holds that was not found, as a sentence with both numbers.
  ///
  /// A picture without an arrow for it would be wrong.
  static func unaccounted(in map: HolderMap) -> [String] {
    map.places.compactMap { place in
      guard let account = place.account, !account.isBalanced else { return nil }
      let found = counted(account.referencesFound, "strong reference")
      let roots = counted(account.namedRoots, "named variable")
      return "\(TypeName.short(place.node.name)) has a retain count of "
        + "\(account.retainCount ?? 0), but \(found) and \(roots) were found to hold it"
        + (account.uncounted > 0 ? " (declare a local variable that holds it as @Variable)" : "")
    }
  }

  private static func counted(_ count: Int, _ what: String) -> String {
    "\(count) \(what)\(count == 1 ? "" : "s")"
  }
}
