internal import CHeapRecorder
internal import CProcessAccess
internal import HeapGraph

/// What the agent calls in a copy of the process: checks that the heap can be read there, reads it,
/// and writes a dump of it.
///
/// - Parameters:
///   - out: the socket that the answer goes to.
///   - request: the line that the agent received.
///   - moment: a serial of the recorder's: blocks with later ones were made while the process was
///     copied.
/// - Returns: the exit code of the copy: 0, or 1 when an error was written.
@_cdecl("memlab_probe_report")
public func report(_ out: Int32, _ request: UnsafePointer<CChar>, _ moment: UInt64) -> Int32 {
  loaded_symbols_without_loader()
  let answer = Answer(out)
  do {
    let end = heap_recorder_moment()
    let losses = try checkHeap()
    var dump = try HeapDump.ofThisProcess(copiedAt: moment, upTo: end)
    dump.facts.losses = losses
    dump.facts.addProcessThatWasCopied()
    return answer.write(dump.bytes) ? 0 : 1
  } catch {
    answer.write(error: "\(error)")
    return 1
  }
}

// The thread of the agent is paused for good. What the check plants has to be seen.
private func checkHeap() throws -> [String] {
  heap_recorder_resume_thread()
  defer { heap_recorder_pause_thread() }
  return try HeapSelfCheck.run()
}
