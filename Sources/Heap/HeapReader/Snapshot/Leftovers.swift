import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

/// The blocks of unknown use in whose words nothing is referred to.
package final class Leftovers: Sendable {
  private let blocks: BlockList
  // The data of the library that runs queues.
  private let queues: [Range<UInt>]
  // What the runtime's own variables refer to: its tables of types, names and conformances. They hold
  // no objects, and they have room that was never written, in which addresses may stand that were there
  // before: https://github.com/swiftlang/swift/blob/main/include/swift/Runtime/Concurrent.h
  // The core library's data is a megabyte: it is read when somebody asks, and once.
  private let tables: Guarded<Tables>

  /// Those among some blocks.
  init(among blocks: BlockList, _ segments: LoadedSegments) {
    queues = segments.all.filter { $0.is_executable == 0 && $0.isDispatch }.map {
      $0.start..<$0.end
    }
    (self.blocks, tables) = (blocks, Guarded(Tables(blocks: blocks, segments: segments)))
  }

  /// Whether a block is one of them.
  ///
  /// - Parameter block: memory of unknown use.
  package func contains(_ block: Int) -> Bool {
    tables.withLock { $0.found.contains(block) } || isSpentRedirection(block)
  }

  /// Whether libdispatch has noted a redirected call in a block, has made it, and keeps the block for
  /// the next: what stands in it means nothing any more.
  ///
  /// Of such calls the first word is the address of a table in the library, and there is neither a
  /// voucher nor a priority: both are all ones, as long as the call is to be made. When a thread puts
  /// the block aside, it writes the number of those that it keeps over the priority's lower half. A
  /// block that notes a call of another kind has no table, so nothing can be said of it: it need not
  /// have a priority of its own. From `_dispatch_async_redirect_wrap` and
  /// `_dispatch_continuation_free_cacheonly` in
  /// <https://github.com/swiftlang/swift-corelibs-libdispatch/blob/main/src>.
  private func isSpentRedirection(_ block: Int) -> Bool {
    guard blocks.size(block) == abi.dispatch.size else { return false }
    let call = blocks.region(block)
    guard let priority = call.word(at: call.start + abi.dispatch.priority),
      call.word(at: call.start + abi.dispatch.voucher) == .max, priority >> 32 == 0xFFFF_FFFF,
      case let kept = UInt32(truncatingIfNeeded: priority), kept >= 1, kept <= abi.dispatch.kept,
      let table = call.word(at: call.start)
    else { return false }
    return RuntimeTrust.knows(.dispatchBlocks)
      && (queues.contains { $0.contains(table) }
        || Self.tablesOfCalls.map { table &- $0 < 512 } ?? false)
  }

  // In a program that has the library in itself, nothing says where its data ends, but where the
  // tables of calls begin.
  private static let tablesOfCalls = CFunction.address("_dispatch_continuation_vtables")
}

private struct Tables {
  let blocks: BlockList
  let segments: LoadedSegments
  lazy var found = Set(
    segments.all.filter { $0.is_writable == 1 && $0.isCore }
      .flatMap { blocks.references(in: $0.region).map(\.target) })
}
