import CHeapRecorder
import Glibc
import HeapGraph
import Testing

extension HeapWitness {
  @Suite("A kernel without membarrier") struct UnheldFreesTests {
    @Test("gives no snapshot") func noSnapshot() async {
      await #expect(processExitsWith: .success) {
        try recorded {
          _ = try HeapSnapshot.take()
          try #require(forbidMembarrier())
          #expect(throws: HeapError.unheldFrees) { try HeapSnapshot.take() }
          #expect(throws: HeapError.unheldFrees) { try HeapSelfCheck.run() }
        }
      }
    }
  }
}

private typealias Control = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt

/// Lets the calling thread's `membarrier` fail, as it does on an old kernel: a filter of system calls.
private func forbidMembarrier() -> Bool {
  guard let symbol = loaded_symbol("prctl") else { return false }
  let prctl = unsafeBitCast(symbol, to: Control.self)
  let (noNewPrivileges, seccomp, withFilter) = (CInt(38), CInt(22), UInt(2))
  // Load the call's number; if it is 324, error 38 (ENOSYS); else let it pass.
  var filter: [UInt64] = [
    0x20, 324 << 32 | 1 << 24 | 0x15, 0x0005_0026 << 32 | 0x06, 0x7fff_0000 << 32 | 0x06,
  ]
  return filter.withUnsafeMutableBytes { filter in
    var program = (UInt(4), UInt(bitPattern: filter.baseAddress))
    return withUnsafeMutablePointer(to: &program) { program in
      prctl(noNewPrivileges, 1, 0, 0, 0) == 0
        && prctl(seccomp, withFilter, UInt(bitPattern: program), 0, 0) == 0
    }
  }
}
