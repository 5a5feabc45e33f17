import Foundation

/// System calls that the kernel refuses to the program, as the profile of a container may: those with
/// which one process reads another's memory, and `membarrier`.
///
/// The filter is a classic BPF program, see https://man7.org/linux/man-pages/man2/seccomp.2.html.
enum Confinement {
  private struct Instruction {
    var code: UInt16
    var ifTrue: UInt8 = 0
    var ifFalse: UInt8 = 0
    var value: UInt32
  }

  private struct Program {
    var count: UInt16
    var instructions: UnsafePointer<Instruction>
  }

  private typealias SystemCall = @convention(c) (Int, Int, Int, UnsafeRawPointer?) -> Int

  // `membarrier`, `ptrace`, `process_vm_readv`, `process_vm_writev`, `kcmp`.
  #if arch(x86_64)
    private static let (seccomp, refused): (Int, [UInt32]) = (317, [324, 101, 310, 311, 312])
  #else
    private static let (seccomp, refused): (Int, [UInt32]) = (277, [283, 117, 270, 271, 272])
  #endif
  private static let (load, jumpIfEqual, answer): (UInt16, UInt16, UInt16) = (0x20, 0x15, 0x06)
  private static let (allow, fail): (UInt32, UInt32) = (0x7FFF_0000, 0x0005_0000)
  private static let (setFilter, ofAllThreads) = (1, 1)
  // `PR_SET_NO_NEW_PRIVS`.
  private static let noNewPrivileges: Int32 = 38

  /// Has the calls refused in every thread, from now on.
  ///
  /// - Returns: whether `membarrier` is refused now.
  static func begin() -> Bool {
    // Swift cannot call functions with a variable number of arguments.
    guard let call = function("syscall", as: SystemCall.self),
      let set = function(
        "prctl", as: (@convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32).self),
      set(noNewPrivileges, 1, 0, 0, 0) == 0
    else { return false }
    let last = refused.count
    let tests = refused.enumerated().map { index, number in
      Instruction(code: jumpIfEqual, ifTrue: UInt8(last - index), value: number)
    }
    let filter =
      [Instruction(code: load, value: 0)] + tests + [
        Instruction(code: answer, value: allow),
        Instruction(code: answer, value: fail | UInt32(EPERM)),
      ]
    let isSet = filter.withUnsafeBufferPointer { filter in
      guard let first = filter.baseAddress else { return false }
      var program = Program(count: UInt16(filter.count), instructions: first)
      return call(seccomp, setFilter, ofAllThreads, &program) == 0
    }
    return isSet && call(Int(refused[0]), 0, 0, nil) == -1 && errno == EPERM
  }

  private static func function<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
  }
}
