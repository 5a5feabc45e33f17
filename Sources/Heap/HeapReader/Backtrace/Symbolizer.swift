import CMemlabProcess
import MemlabHeapModel

/// Names the functions and variables of this process by their addresses.
///
/// ```swift
/// let symbol = Symbolizer.shared.symbol(at: address)
/// print(symbol?.name ?? "unknown", symbol?.library ?? "")
/// ```
///
/// Reads the files that the process was loaded from; nothing is opened before the first question,
/// and every answer is remembered. It allocates: ask after the heap was recorded, not meanwhile.
///
/// The toolchain's module `Runtime` was tried in its place, with Swift 6.3.1 and a small program. It is
/// fast enough there, but takes an address that no backtrace has captured only through
/// `@_spi(Internal)`, cannot be told to read another file in place of a stripped one, does not say where
/// a function is written, and loads `libswiftRuntime.so`, of 1.4 MB, into every program that is judged
/// or watched.
package final class Symbolizer: Sendable {
  /// The one that everybody shares, so that a file is opened once.
  package static let shared = Symbolizer()

  fileprivate struct State {
    var files: [String: ImageFile] = [:]
    var program = Symbolizer.ownFile
    var symbols: [UInt: Symbol?] = [:]
    var declarations: [UInt: SourceLine?] = [:]

    mutating func file(of image: loaded_segment) -> ImageFile {
      let path = image.file == Symbolizer.ownFile ? program : image.file
      if let file = files[path] { return file }
      let file = ImageFile(path: path)
      files[path] = file
      return file
    }
  }

  private let state = Guarded(State())

  fileprivate static let ownFile = "/proc/self/exe"

  private init() {}

  /// Names the program's functions as another file does: one that was not stripped.
  ///
  /// - Returns: false where the file cannot be read, or is of another build.
  package func readProgram(from path: String) -> Bool {
    guard ElfFile.isUnstripped(path, of: Self.ownFile) else { return false }
    state.withLock { $0.program = path }
    return true
  }

  /// The function or variable that covers an address, or nil when no loaded file names one.
  package func symbol(at address: UInt) -> Symbol? {
    state.withLock { state in
      if let known = state.symbols[address] { return known }
      guard let image = LoadedSegments.current().segment(at: address) else { return nil }
      let symbol = state.file(of: image).symbol(at: address, in: image)
      state.symbols.updateValue(symbol, forKey: address)
      return symbol
    }
  }

  /// The short name of the function or variable that covers an address.
  ///
  /// `closure #1 in observe()` for code, `Registry.shared` for a static variable.
  package func name(at address: UInt) -> String? { symbol(at: address)?.name }

  /// The code of the function that an address belongs to; nil where no loaded file names one.
  func body(ofFunctionAt address: UInt) -> Region? {
    state.withLock { state in
      let image = LoadedSegments.current().segment(at: address)
      return image.flatMap { state.file(of: $0).body(ofFunctionAt: address, in: $0) }
    }
  }

  /// Where the function is written that an address of code belongs to, its parts that resume
  /// included; nil without debug information.
  func declaration(ofFunctionAt address: UInt) -> SourceLine? {
    state.withLock { state in
      if let known = state.declarations[address] { return known }
      guard let image = LoadedSegments.current().segment(at: address) else { return nil }
      let line = state.file(of: image).declaration(ofFunctionAt: address, in: image)
      state.declarations.updateValue(line, forKey: address)
      return line
    }
  }
}

/// The tables of one image's file, each opened when it is first needed. The symbolizer asks it under its
/// own lock.
private final class ImageFile {
  private let file: ElfFile?
  private let symbols: SymbolTable?
  private lazy var lines = file.flatMap(LineTable.init)
  private lazy var debug = file.flatMap(DebugInformation.init)

  init(path: String) {
    file = ElfFile(path: path)
    symbols = file.flatMap(SymbolTable.init)
  }

  func symbol(at address: UInt, in image: loaded_segment) -> Symbol? {
    guard let entry = symbols?.entry(covering: address - image.bias) else { return nil }
    let name = SymbolName(mangled: entry.mangledName)
    let library = image.name
    let isLibrary =
      LibraryCode.contains(module: name.module, library: library)
      || LibraryCode.isOfRuntime(entry.mangledName)
    let offset = address - image.bias - entry.start
    let place =
      isLibrary || entry.isData ? nil : self.place(of: entry, from: offset, name.glue == .forwarder)
    return Symbol(
      address: address, parts: name, library: library, isLibrary: isLibrary, isData: entry.isData,
      offset: Int(offset), location: place?.location, isOfDependency: place?.isFetched ?? false)
  }

  // What follows an `await` is a function of its own, which says nothing of where it all began.
  func declaration(ofFunctionAt address: UInt, in image: loaded_segment) -> SourceLine? {
    guard let entry = symbols?.entry(covering: address - image.bias), let debug else { return nil }
    let name = Demangling.withoutResumeSuffix(entry.mangledName)
    return debug.declaration(of: name) ?? Demangling.forwarded(by: name).flatMap(debug.declaration)
  }

  func body(ofFunctionAt address: UInt, in image: loaded_segment) -> Region? {
    guard let entry = symbols?.entry(covering: address - image.bias), !entry.isData else {
      return nil
    }
    let start = entry.start + image.bias
    return image.region.part(from: start, to: start + entry.size)
  }

  private func place(
    of entry: SymbolTable.Entry, from offset: UInt, _ isForwarder: Bool
  ) -> SourceLine? {
    let code = entry.start + offset..<entry.start + max(entry.size, offset + 1)
    guard let (line, addresses) = lines?.firstLine(in: code) else { return nil }
    return debug?.line(
      ofCallAt: addresses, inFunctionAt: entry.start, isForwarder: isForwarder) ?? line
  }
}

extension Region {
  /// Where the functions are, in order, that the code in it calls or jumps to at addresses that are in the
  /// code. Other bytes may look like a call: only what a symbol begins at is one.
  fileprivate var callTargets: [UInt] {
    #if arch(x86_64)
      // `call rel32` and `jmp rel32`, counted from the next instruction.
      return (start..<end).compactMap { place in
        guard let byte = byte(at: place), byte == 0xE8 || byte == 0xE9,
          let bits = uint32(at: place + 1)
        else { return nil }
        return place &+ 5 &+ UInt(bitPattern: Int(Int32(bitPattern: bits)))
      }
    #else
      // `bl` and `b`, in words of four bytes.
      return stride(from: start & ~3, to: end, by: 4).compactMap { place in
        guard let word = uint32(at: place), word & 0x7C00_0000 == 0x1400_0000 else { return nil }
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
    for target in body.callTargets {
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
