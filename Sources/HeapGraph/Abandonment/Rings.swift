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
  ///   - addresses: where objects begin that were found in this heap.
  ///   - waiting: where the task is that waits for the answer.
  /// - Returns: the objects, and whether there may be more: a thread was running.
  package func abandonedObjects(
    at addresses: [UInt], waiting: UInt
  ) -> (objects: [AnyObject], mayBeMore: Bool) {
    var (objects, mayBeMore): ([AnyObject], Bool) = ([], false)
    for address in addresses {
      switch ways(to: [], objects: [address], waiting: waiting, observers: [:]) {
      case .none:
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { continue }
        objects.append(Unmanaged<AnyObject>.fromOpaque(pointer).takeUnretainedValue())
      case .unclear: mayBeMore = true
      case .found: break
      }
    }
    return (objects, mayBeMore)
  }
}
