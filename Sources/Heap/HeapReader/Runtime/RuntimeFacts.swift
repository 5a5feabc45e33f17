import CMemlabProcess
package import MemlabHeapModel
package import MemlabRuntimeABI

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
    CFunction.image(abi.symbols.debugPrefix + abi.symbols.taskMetadata)
      .flatMap { ElfFile(path: $0.file) }?.section(named: ".symtab") != nil
  }

  /// The layout of tasks that the concurrency library tells debuggers; nil where it does not.
  package static var taskLayout: String? {
    RuntimeSymbols.current.flatMap { symbols in
      guard let version = symbols.layoutVersion, let size = symbols.taskSize else { return nil }
      return "layout version \(version), tasks of \(size) bytes"
    }
  }

  /// Whether that layout is one that the heap trace knows.
  package static var isTaskLayoutKnown: Bool { (try? HeapSelfCheck.checkExports()) != nil }

  /// Whether the program has the runtime in its own file.
  static let isInProgram = coreLibrary == nil

  /// The file of the Swift core library; nil where it is part of the program.
  package static var coreLibrary: String? {
    CFunction.image(abi.symbols.inCore).map(\.file).flatMap { $0 == "/proc/self/exe" ? nil : $0 }
  }
}

/// The values that `libswift_Concurrency` exports for debuggers.
package struct RuntimeSymbols {
  /// The first word of every task.
  package let taskMetadata: UInt
  /// The first word of every slab of a task's allocator; 0 where the library does not tell.
  let slabMetadata: UInt
  /// The version of the layout of tasks; nil where the library does not tell.
  let layoutVersion: UInt32?
  /// A task's size in bytes, without what follows its fixed part; nil where the library does not tell.
  let taskSize: UInt?

  /// The values of this process; nil where the library does not tell a task's first word.
  package static let current = RuntimeSymbols()

  private init?() {
    func exported(_ name: String) -> Place {
      Place(CFunction.address(abi.symbols.debugPrefix + name))
    }
    guard let taskMetadata = exported(abi.symbols.taskMetadata).word else { return nil }
    self.taskMetadata = taskMetadata
    slabMetadata = exported(abi.symbols.slabMetadata).word ?? 0
    layoutVersion = exported(abi.symbols.layoutVersion).uint32
    taskSize = exported(abi.symbols.taskSize).word
  }
}

/// What the self-check has found this process's runtime to do otherwise than the table says.
///
/// Whatever depends on it is left out, or said less of, from then on.
package enum RuntimeTrust {
  private static let doubted = Guarded<Set<RuntimeProbe>>([])

  /// Whether what a probe checks can be relied on; true until the probe has failed.
  package static func knows(_ probe: RuntimeProbe) -> Bool {
    doubted.withLock { !$0.contains(probe) }
  }

  /// Notes which probes have failed. Types are read again when they are met next.
  static func doubt(_ probes: Set<RuntimeProbe>) {
    let isNew = doubted.withLock { doubted in
      defer { doubted.formUnion(probes) }
      return !probes.isSubset(of: doubted)
    }
    if isNew { Survey.forgetLayouts() }
  }
}
