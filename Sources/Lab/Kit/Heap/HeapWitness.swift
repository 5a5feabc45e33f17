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
    do {
      let losses = try HeapSelfCheck.run()
      remark = losses.isEmpty ? nil : losses.joined(separator: "; ")
    } catch {
      throw HeapUnreadable(reason: "\(error)")
    }
  }

  /// Forgets the blocks of earlier trials and records from here on.
  func start() {
    HeapRecording.start()
  }

  /// Stops recording. Read first: what is freed from now on would still be listed.
  func stop() {
    HeapRecording.stop()
  }

  /// Reads the heap as it is now, and goes on recording. What the reading takes is not recorded.
  ///
  /// - Parameters:
  ///   - types: the types to look for.
  ///   - variables: the names of the trial's variables, by their addresses.
  /// - Throws: ``HeapUnreadable`` when the heap cannot be read after all.
  func glance(
    _ types: [any AnyObject.Type], variables: [UInt: String]
  ) throws(HeapUnreadable) -> (report: HeapReport, map: HolderMap) {
    #if MEMLAB_PORTABLE
      throw HeapUnreadable(reason: "\(HeapError.unread)")
    #else
      do {
        return try HeapRecording.withoutRecording {
          let snapshot = try HeapSnapshot.take(
            scanningStack: false, tracing: .everything, variables: variables)
          let names = types.map { TypeName.qualified($0) }
          let builder = HeapReportBuilder(snapshot, of: names, detail: .everything)
          return (builder.report, builder.map)
        }
      } catch {
        throw HeapUnreadable(reason: "\(error)")
      }
    #endif
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
    #if MEMLAB_PORTABLE
      throw HeapUnreadable(reason: "\(HeapError.unread)")
    #else
      do {
        let names = types.map { TypeName.qualified($0) }
        let tracing = detail == .everything ? HeapTracing.everything : .survivors(of: Set(names))
        let snapshot = try HeapSnapshot.take(scanningStack: false, tracing: tracing)
        return HeapReportBuilder(snapshot, of: names, detail: detail).report
      } catch {
        throw HeapUnreadable(reason: "\(error)")
      }
    #endif
  }
}

/// The heap cannot be read in this process; the ledger's counts stand alone.
package struct HeapUnreadable: Error, CustomStringConvertible {
  /// Why, a clause.
  let reason: String

  /// A heap that cannot be read for this reason, a clause.
  package init(reason: String) {
    self.reason = reason
  }

  /// A sentence without its full stop.
  package var description: String { "the heap was not read: \(reason)" }
}
