import CMemlabProcess
import CMemlabRecorder
import MemlabDumps
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform

/// What the agent calls in a copy of the process: checks that the heap can be read there, reads it,
/// and writes a dump of it.
///
/// - Parameters:
///   - out: the socket that the answer goes to.
///   - request: the line that the agent received, and after ` symbols=` a file that names the
///     program's functions.
///   - moment: a serial of the recorder's: blocks with later ones were made while the process was
///     copied.
/// - Returns: the exit code of the copy: 0, or 1 when an error was written.
@_cdecl("memlab_probe_report")
public func report(_ out: Int32, _ request: UnsafePointer<CChar>, _ moment: UInt64) -> Int32 {
  memlab_loaded_symbols_without_loader()
  do {
    let end = heap_recorder_moment()
    let unnamed = nameFunctions(as: String(cString: request))
    let losses = try checkHeap() + unnamed
    var dump = try HeapDump.ofThisProcess(copiedAt: moment, upTo: end)
    dump.facts.losses = losses
    dump.facts.addProcessThatWasCopied()
    return write(dump.bytes, to: out) ? 0 : 1
  } catch {
    _ = write(ContiguousArray("\nmemlab.error \(error)\n".utf8), to: out)
    return 1
  }
}

// Before anything is named: names are remembered.
private func nameFunctions(as request: String) -> [String] {
  guard let mark = request.firstRange(of: " symbols=") else { return [] }
  let file = String(request[mark.upperBound...])
  guard !Symbolizer.shared.readProgram(from: file) else { return [] }
  return ["the file \(file) has no symbols for this program: it is not there, or of another build"]
}

// The thread of the agent is paused for good. What the check plants has to be seen.
private func checkHeap() throws -> [String] {
  heap_recorder_resume_thread()
  defer { heap_recorder_pause_thread() }
  return try HeapSelfCheck.run()
}

// No signal ends the copy when the peer is gone: all but those of faults are blocked there. Returns
// false when the peer is gone, or does not read on.
private func write(_ bytes: ContiguousArray<UInt8>, to socket: Int32) -> Bool {
  bytes.withUnsafeBytes { CLibrary.writeAll(socket, $0) }
}
