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
package final class Symbolizer: Sendable {
  /// The one that everybody shares, so that a file is opened once.
  package static let shared = Symbolizer()

  fileprivate struct State {
    var files: [String: ImageFile] = [:]
    var program = Symbolizer.ownFile
    var symbols: [UInt: Symbol?] = [:]
    var declarations: [UInt: SourceLine?] = [:]
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
  package func symbol(at address: UnsafeRawPointer) -> Symbol? {
    state.withLock { state in
      let key = UInt(bitPattern: address)
      if let known = state.symbols[key] { return known }
      guard let image = LoadedSegments.current().segment(at: key) else { return nil }
      let symbol = state.file(of: image).symbol(at: key, in: image)
      state.symbols.updateValue(symbol, forKey: key)
      return symbol
    }
  }

  /// The same for an address that is a number.
  func symbol(at address: UInt) -> Symbol? {
    UnsafeRawPointer(bitPattern: address).flatMap(symbol(at:))
  }

  /// The short name of the function or variable that covers an address.
  ///
  /// `closure #1 in observe()` for code, `Registry.shared` for a static variable.
  package func name(of address: UnsafeRawPointer) -> String? {
    symbol(at: address)?.name
  }

  /// The same for an address that is a number.
  func name(at address: UInt) -> String? {
    UnsafeRawPointer(bitPattern: address).flatMap(name(of:))
  }

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

extension Symbolizer.State {
  fileprivate mutating func file(of image: loaded_segment) -> ImageFile {
    let path = image.file == Symbolizer.ownFile ? program : image.file
    if let file = files[path] { return file }
    let file = ImageFile(path: path)
    files[path] = file
    return file
  }
}

/// The tables of one image's file, each opened when it is first needed.
private final class ImageFile: Sendable {
  private let file: ElfFile?
  private let symbols: SymbolTable?
  private let lines = Guarded<LineTable??>(nil)

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
    let place = isLibrary || entry.isData ? nil : self.place(of: entry, from: offset)
    return Symbol(
      at: address, parts: name, library: library, isLibrary: isLibrary, isData: entry.isData,
      offset: Int(offset), file: place?.location.file, line: place?.location.line,
      isOfDependency: place?.isFetched ?? false)
  }

  // What follows an `await` is a function of its own, which says nothing of where it all began.
  func declaration(ofFunctionAt address: UInt, in image: loaded_segment) -> SourceLine? {
    guard let entry = symbols?.entry(covering: address - image.bias) else { return nil }
    guard let declarations = file.flatMap(Declarations.init) else { return nil }
    let name = Demangling.withoutResumeSuffix(entry.mangledName)
    return declarations.line(of: name)
      ?? Demangling.forwarded(by: name).flatMap(declarations.line)
  }

  func body(ofFunctionAt address: UInt, in image: loaded_segment) -> Region? {
    guard let entry = symbols?.entry(covering: address - image.bias), !entry.isData else {
      return nil
    }
    let start = entry.start + image.bias
    return image.region.part(from: start, to: start + entry.size)
  }

  private func place(of entry: SymbolTable.Entry, from offset: UInt) -> SourceLine? {
    let table = lines.withLock { lines in
      if let lines { return lines }
      let table = file.flatMap(LineTable.init)
      lines = .some(table)
      return table
    }
    return table?.firstLine(in: entry.start + offset..<entry.start + max(entry.size, offset + 1))
  }
}
