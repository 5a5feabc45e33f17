internal import CHeapRecorder

extension BlockList {
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
  func isSpentRedirection(_ block: Int, _ segments: LoadedSegments) -> Bool {
    typealias Call = RuntimeLayout.DispatchContinuation
    guard size(block) == Call.size else { return false }
    let call = address(block)
    let priority = Memory.word(call + Call.priority)
    guard Memory.word(call + Call.voucher) == .max, priority >> 32 == 0xFFFF_FFFF,
      Call.numberKept.contains(UInt32(truncatingIfNeeded: priority))
    else { return false }
    return segments.segment(at: Memory.word(call))?.isOfDispatch == true
  }
}

extension RuntimeLayout {
  /// Offsets into what libdispatch notes a call to make in.
  enum DispatchContinuation {
    static let size: UInt = 64
    static let priority: UInt = 8
    static let voucher: UInt = 24
    static let function: UInt = 32
    static let argument: UInt = 40
    /// How many a thread keeps.
    static let numberKept: ClosedRange<UInt32> = 1...1024
  }
}

extension loaded_segment {
  /// Whether it is data of the library that runs queues.
  fileprivate var isOfDispatch: Bool { is_executable == 0 && name.hasPrefix("libdispatch.so") }
}
