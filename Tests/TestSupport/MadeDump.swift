package import MemlabHeapModel

extension HeapDump {
  /// Adds blocks to an empty dump, each found once and held once, by its holder or by a root.
  ///
  /// - Parameter made: of each block its serial and its size, the place of what it is in ``things``, and
  ///   the place of its holder among the blocks, negative for a root.
  package mutating func add(_ made: [(serial: UInt64, size: UInt32, thing: Int, holder: Int)]) {
    for (place, block) in made.enumerated() {
      blocks.serials.append(block.serial)
      blocks.sizes.append(block.size)
      blocks.things.append(UInt32(block.thing))
      blocks.holders.append(Int32(block.holder))
      blocks.origins.append(.root)
      blocks.found.append(1)
      blocks.counts.append(1)
      for target in made.indices where made[target].holder == place {
        targets.append(UInt32(target))
        labelIDs.append(0)
      }
      starts.append(UInt32(targets.count))
    }
  }
}
