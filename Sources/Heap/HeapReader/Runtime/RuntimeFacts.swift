import CMemlabProcess
package import MemlabHeapModel
import MemlabRuntimeABI

extension RuntimeFacts {
  /// Whether this configuration of memlab reads the heap: the portable one does not.
  package static let readsHeap = true

  /// How many bits an address may have that is read; Linux gives no program more, unless it asks.
  package static let addressBits = Int(USER_ADDRESS_BITS)

  /// What the program's file tells of its functions.
  package static var symbols: ProgramSymbols {
    let file = ElfFile(path: "/proc/self/exe")
    guard file?.section(named: ".symtab") != nil else { return .exported }
    return file?.section(named: ".debug_line") == nil ? .functions : .functionsAndLines
  }

  /// Whether the file of the concurrency library has the names of its own functions: a distribution
  /// may have stripped it.
  package static var namesLibraryFunctions: Bool {
    guard let address = loaded_symbol(abi.symbols.debugPrefix + abi.symbols.taskMetadata),
      let image = LoadedSegments.current().segment(at: UInt(bitPattern: address))
    else { return false }
    return ElfFile(path: image.file)?.section(named: ".symtab") != nil
  }

  /// The layout of tasks that the concurrency library tells debuggers; nil where it does not.
  package static var taskLayout: String? {
    RuntimeSymbols.current.map {
      "layout version \($0.layoutVersion), tasks of \($0.taskSize) bytes"
    }
  }

  /// Whether that layout is one that the heap trace knows.
  package static var isTaskLayoutKnown: Bool { (try? HeapSelfCheck.checkExports()) != nil }

  /// Whether the program has the runtime in its own file.
  static let isInProgram = coreLibrary == nil

  /// The file of the Swift core library; nil where it is part of the program.
  package static var coreLibrary: String? {
    guard let address = loaded_symbol(abi.symbols.inCore) else { return nil }
    let segment = LoadedSegments.current().segment(at: UInt(bitPattern: address))
    return segment.map(\.file).flatMap { $0 == "/proc/self/exe" ? nil : $0 }
  }
}
