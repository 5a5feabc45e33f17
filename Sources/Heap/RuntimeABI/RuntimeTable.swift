import CMemlabProcess
import MemlabPlatform

/// What is known of the Swift runtime that this process runs on: where it keeps what, and what it
/// calls things. None of it is a documented promise.
///
/// One row for each fact, one column for each processor and version (``RuntimeColumn``). A row has
/// a name, a source and a probe. The probe plants the thing that the row describes and reads it
/// back, so a runtime that differs is noticed and not misread.
///
/// For tests, set before the process starts: `MEMLAB_ABI_MUTANT` to the names of rows, with commas
/// between them, and those have wrong values, so their probes must fail; `MEMLAB_ABI_COLUMN` to the
/// name of a column, and the process is read as if it ran on that.
package struct RuntimeTable: Sendable {
  /// The header of an object.
  package let object = ObjectRows()
  /// The side table of an object with weak references.
  package let sideTable = SideTableRows()
  /// References, and the bits in them.
  package let reference = ReferenceRows()
  /// The kinds of metadata.
  package let kind = KindRows()
  /// What every metadata has.
  package let metadata = MetadataRows()
  /// Structures, enumerations, tuples and existentials.
  package let type = TypeRows()
  /// Classes and their descriptors.
  package let classes = ClassRows()
  /// Generic parameters and arguments.
  package let generics = GenericRows()
  /// Descriptions of stored properties.
  package let fields = FieldRows()
  /// Value witness tables.
  package let witness = WitnessRows()
  /// `Any` and `any Protocol`.
  package let container = ContainerRows()
  /// Closures' contexts.
  package let context = ContextRows()
  /// Boxes of captured variables.
  package let box = BoxRows()
  /// Thrown errors.
  package let error = ErrorRows()
  /// Arrays.
  package let array = ArrayRows()
  /// Dictionaries and sets.
  package let table = TableRows()
  /// The queue of a stream.
  package let deque = DequeRows()
  /// Strings.
  package let string = StringRows()
  /// Mangled names.
  package let mangling = ManglingRows()
  /// Tasks.
  package let task = TaskRows()
  /// The memory that a task allocates frames from.
  package let slab = SlabRows()
  /// Frames of suspended functions.
  package let async = AsyncRows()
  /// What libdispatch keeps.
  package let dispatch = DispatchRows()
  /// Names of exported symbols.
  package let symbols = SymbolRows()
  /// What the demangler calls functions that the compiler makes.
  package let glue = GlueRows()
  /// Library functions that tasks wait in.
  package let frames = FrameRows()
  /// Names of libraries and modules.
  package let libraries = LibraryRows()
  /// Swift Testing's tasks and types.
  package let testing = TestingRows()
  /// Jobs and executors.
  package let jobs = JobRows()

  /// The column that this process uses.
  package let column: RuntimeColumn
  /// The rows whose values are wrong on purpose; none outside tests.
  package let mutants: Set<String>
  /// All rows, in order.
  package let rows: [RuntimeRow]

  /// The rows that one probe checks.
  package func rows(checkedBy probe: RuntimeProbe) -> [RuntimeRow] {
    rows.filter { $0.probe == probe }
  }

  fileprivate init() {
    column = RowBuilder.current.column
    mutants = RowBuilder.current.mutants
    rows = RowBuilder.current.rows
  }
}

/// The table of this process.
package let abi: RuntimeTable = {
  let mutants = variable("MEMLAB_ABI_MUTANT")?.split(separator: ",").map(String.init) ?? []
  let column = variable("MEMLAB_ABI_COLUMN").flatMap(RuntimeColumn.init) ?? .current
  RowBuilder.current = RowBuilder(column: column, mutants: Set(mutants))
  return RuntimeTable()
}()

private func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

extension RuntimeColumn {
  /// Whether the runtime is older than Swift 6.3.
  ///
  /// It does not say its version. What it exports tells: Swift 6.3 brought custom executors,
  /// https://github.com/swiftlang/swift/blob/release/6.3/stdlib/public/Concurrency.
  package static let isBefore63 = loaded_symbol("swift_createExecutors") == nil

  fileprivate static var current: RuntimeColumn {
    #if arch(arm64)
      return .arm64
    #else
      return isBefore63 ? .x86Swift62 : .x86Swift63
    #endif
  }
}
