private let source = "swift-corelibs-libdispatch/src/inline_internal.h"

/// What libdispatch notes a call in that it is to make.
package struct DispatchRows: Sendable {
  /// Its size in bytes.
  package let size: UInt = row("dispatch.size", 64, source, .dispatchBlocks)
  /// Where the priority is.
  package let priority: UInt = row("dispatch.priority", 8, source, .dispatchBlocks)
  /// Where the voucher is.
  package let voucher: UInt = row("dispatch.voucher", 24, source, .dispatchBlocks)
  /// Where the function is.
  package let function: UInt = row("dispatch.function", 32, source, .dispatchBlocks)
  /// Where the function's argument is.
  package let argument: UInt = row("dispatch.argument", 40, source, .dispatchBlocks)
  /// How many of them a thread keeps for later calls.
  package let kept: UInt32 = row(
    "dispatch.kept", 1024, "swift-corelibs-libdispatch/src/queue.c", .dispatchBlocks, mutant: 0)
}
