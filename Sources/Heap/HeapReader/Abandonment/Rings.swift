package import MemlabHeapModel

extension HeapSnapshot {
  /// Where objects are of rings that have grown since a moment and that no root was found to lead to:
  /// of each group the oldest object of a class that the system's libraries do not have. To be asked
  /// while the heap is read.
  ///
  /// What only a running thread has looks like that, too, for a moment.
  ///
  /// - Parameters:
  ///   - begin: the moment.
  ///   - modules: the names of modules whose classes do not count.
  package func rings(since begin: HeapMoment, outside modules: Set<String>) -> [UInt] {
    survey.objectCycles.compactMap { ring in
      let own = ring.first { block in
        guard survey.kinds[block] == .instance, survey.blocks.serial(block) > begin.serial else {
          return false
        }
        let module = survey.typeName(of: block)?.prefix { $0 != "." } ?? ""
        return !modules.contains(String(module))
      }
      return own.map(survey.blocks.address)
    }
  }
}

extension HeapSurroundings {
  /// Those of some objects that nothing leads to, no thread that runs included, so that they cannot go
  /// meanwhile.
  ///
  /// - Parameters:
  ///   - addresses: where objects begin that are in rings of this heap.
  ///   - waiting: where the task is that waits for the answer.
  ///   - hasPatience: whether a later look may show more. Otherwise objects count, too, that something
  ///     leads to, or seems to, as long as only their ring owns them.
  /// - Returns: the objects, and whether there may be more: a thread was running.
  package func abandonedObjects(
    at addresses: [UInt], waiting: UInt, hasPatience: Bool
  ) -> (objects: [AnyObject], mayBeMore: Bool) {
    guard !addresses.isEmpty else { return ([], false) }
    let ground = WayInSearch.Ground(survey)
    let parts = parts(of: addresses[...]) {
      ways(on: ground, to: [], objects: Array($0), waiting: waiting, observers: [:])
    }
    var (objects, mayBeMore): ([AnyObject], Bool) = ([], false)
    for (addresses, ways) in parts {
      switch ways {
      case .unclear: mayBeMore = true
      case .found where hasPatience: break
      case .none, .found:
        let lost = if case .none = ways { true } else { false }
        objects += addresses.filter { lost || isOwnedByItsRing($0) }
          .compactMap { LiveObject.retained(at: $0) }
      }
    }
    return (objects, mayBeMore)
  }

  // Where nothing leads to some objects together, nothing leads to any of them. A test may leave
  // thousands behind, and each question takes a look through the heap.
  private func parts(
    of addresses: ArraySlice<UInt>, asking ways: (ArraySlice<UInt>) -> WaysIn
  ) -> [(addresses: ArraySlice<UInt>, ways: WaysIn)] {
    let answer = ways(addresses)
    guard case .found = answer, addresses.count > 1 else { return [(addresses, answer)] }
    let half = addresses.count / 2
    return parts(of: addresses.prefix(half), asking: ways)
      + parts(of: addresses.dropFirst(half), asking: ways)
  }

  // A word that owns nothing may be what an earlier call has left on a stack, or in memory of a C
  // library's. An owner that was not found would show in the count.
  private func isOwnedByItsRing(_ address: UInt) -> Bool {
    guard let block = survey.block(at: address),
      let ring = survey.objectCycles.first(where: { $0.contains(block) })
    else { return false }
    return !ring.contains { survey.check.leavesRoom(for: $0) }
  }
}

/// Objects that may be about to go.
private enum LiveObject {
  // Swift has no name for it. It retains an object unless that is being deinitialised:
  // https://github.com/swiftlang/swift/blob/main/stdlib/public/runtime/HeapObject.cpp
  private typealias TryRetain = @convention(c) (UnsafeRawPointer) -> UnsafeRawPointer?
  private static let tryRetain = CFunction.named("swift_tryRetain", as: TryRetain.self)

  /// The object that begins at an address; nil when it is being deinitialised.
  static func retained(at address: UInt) -> AnyObject? {
    UnsafeRawPointer(bitPattern: address).flatMap { tryRetain?($0) }
      .map { Unmanaged<AnyObject>.fromOpaque($0).takeRetainedValue() }
  }
}
