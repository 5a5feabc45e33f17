import CMemlabRecorder
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  @Suite("A kernel without membarrier") struct UnheldFreesTests {
    @Test("gives no snapshot", .enabled(if: canFilter, "system calls cannot be forbidden here"))
    func noSnapshot() async {
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

private let prctl = loaded_symbol("prctl").map { unsafeBitCast($0, to: Control.self) }

/// Whether there are filters of system calls: qemu-user has none, and says so when it is asked
/// whether there is one already.
private let canFilter: Bool = {
  let getSeccomp = CInt(21)
  return prctl?(getSeccomp, 0, 0, 0, 0) ?? -1 >= 0
}()

/// The number of `membarrier`: `asm/unistd_64.h` on x86-64, `asm-generic/unistd.h` elsewhere.
private let membarrier: UInt64 = {
  #if arch(x86_64)
    324
  #else
    283
  #endif
}()

/// Lets the calling thread's `membarrier` fail, as it does on an old kernel: a filter of system calls.
private func forbidMembarrier() -> Bool {
  guard let prctl else { return false }
  let (noNewPrivileges, seccomp, withFilter) = (CInt(38), CInt(22), UInt(2))
  // Load the call's number; if it is this one, error 38 (ENOSYS); else let it pass.
  var filter: [UInt64] = [
    0x20, membarrier << 32 | 1 << 24 | 0x15, 0x0005_0026 << 32 | 0x06, 0x7fff_0000 << 32 | 0x06,
  ]
  return filter.withUnsafeMutableBytes { filter in
    var program = (UInt(4), UInt(bitPattern: filter.baseAddress))
    return withUnsafeMutablePointer(to: &program) { program in
      prctl(noNewPrivileges, 1, 0, 0, 0) == 0
        && prctl(seccomp, withFilter, UInt(bitPattern: program), 0, 0) == 0
    }
  }
}
