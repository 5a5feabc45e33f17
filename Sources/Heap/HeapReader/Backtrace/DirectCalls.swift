import CMemlabProcess
import MemlabHeapModel

/// The functions that a piece of code calls or jumps to at addresses that are in the code.
struct DirectCalls {
  private let code: Region

  /// Looks at the code in a stretch of memory.
  init(in code: Region) { self.code = code }

  /// Where they are, in order. Other bytes may look like a call: only what a symbol begins at is one.
  var targets: [UInt] {
    #if arch(x86_64)
      // `call rel32` and `jmp rel32`, counted from the next instruction.
      return (code.start..<code.end).compactMap { place in
        guard let byte = code.byte(at: place), byte == 0xE8 || byte == 0xE9,
          let bits = code.uint32(at: place + 1)
        else { return nil }
        return place &+ 5 &+ UInt(bitPattern: Int(Int32(bitPattern: bits)))
      }
    #else
      // `bl` and `b`, in words of four bytes.
      return stride(from: code.start & ~3, to: code.end, by: 4).compactMap { place in
        guard let word = code.uint32(at: place), word & 0x7C00_0000 == 0x1400_0000 else {
          return nil
        }
        return place &+ UInt(bitPattern: Int(Int32(bitPattern: word << 6)) >> 4)
      }
    #endif
  }
}

extension Symbolizer {
  /// The name of the method that code stands for which the compiler has made of a reference to it,
  /// such as `controller.handleTap`: `Controller.handleTap()`. Nil for other code, and where the
  /// method is chosen only when it is called.
  func method(referredToAt address: UInt) -> String? {
    guard let symbol = symbol(at: address), symbol.parts.isMethodReference else { return nil }
    return method(calledAt: code(at: address), depth: 3)
  }

  /// The code of a function: its address, or what the pointer to an async function begins with, which
  /// says where its code is as seen from there.
  func code(at address: UInt) -> UInt {
    let segment = LoadedSegments.current().segment(at: address)
    guard let segment, segment.is_executable == 0 else { return address }
    return segment.region.relative(at: address) ?? address
  }

  private func method(calledAt address: UInt, depth: Int) -> String? {
    guard depth > 0, let body = body(ofFunctionAt: address) else { return nil }
    for target in DirectCalls(in: body).targets {
      guard let called = symbol(at: target), called.offset == 0, !called.isLibrary else { continue }
      if called.parts.isMethodReference {
        if let method = method(calledAt: target, depth: depth - 1) { return method }
      } else if called.parts.glue == nil, called.parts.isFunction {
        return called.parts.qualified
      }
    }
    return nil
  }
}
