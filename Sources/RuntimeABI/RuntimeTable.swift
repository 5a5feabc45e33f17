import CProcessAccess
import Glibc

/// What is known of the Swift runtime that this process runs on: where it keeps what, and what it
/// calls things. None of it is a documented promise.
///
/// One row for each fact, one column for each processor and version (``RuntimeColumn``). A row has
/// a name, a source and a probe. The probe plants the thing that the row describes and reads it
/// back, so a runtime that differs is noticed and not misread.
///
/// Set `MEMLAB_ABI_MUTANT` to a row's name before the process starts, and that row has a wrong
/// value: its probe must then fail.
package struct RuntimeTable: Sendable {
  package let object = ObjectRows()
  package let sideTable = SideTableRows()
  package let reference = ReferenceRows()
  package let kind = KindRows()
  package let metadata = MetadataRows()
  package let type = TypeRows()
  package let classes = ClassRows()
  package let generics = GenericRows()
  package let fields = FieldRows()
  package let witness = WitnessRows()
  package let container = ContainerRows()
  package let context = ContextRows()
  package let box = BoxRows()
  package let error = ErrorRows()
  package let array = ArrayRows()
  package let table = TableRows()
  package let deque = DequeRows()
  package let string = StringRows()
  package let mangling = ManglingRows()
  package let task = TaskRows()
  package let slab = SlabRows()
  package let async = AsyncRows()
  package let dispatch = DispatchRows()
  package let symbols = SymbolRows()
  package let glue = GlueRows()
  package let frames = FrameRows()
  package let libraries = LibraryRows()
  package let testing = TestingRows()
  package let jobs = JobRows()

  /// The column that this process uses.
  package let column: RuntimeColumn
  /// The row whose value is wrong on purpose; nil outside tests.
  package let mutant: String?
  /// All rows, in order.
  package let rows: [RuntimeRow]

  /// The rows that one probe checks.
  package func rows(checkedBy probe: RuntimeProbe) -> [RuntimeRow] {
    rows.filter { $0.probe == probe }
  }

  fileprivate init() {
    column = RowBuilder.current.column
    mutant = RowBuilder.current.mutant
    rows = RowBuilder.current.rows
  }
}

/// The table of this process.
package let abi: RuntimeTable = {
  let mutant = getenv("MEMLAB_ABI_MUTANT").map { String(cString: $0) }
  RowBuilder.current = RowBuilder(column: .current, mutant: mutant)
  return RuntimeTable()
}()

extension RuntimeColumn {
  // The runtime does not say its version. What it exports tells: Swift 6.3 brought custom
  // executors, https://github.com/swiftlang/swift/blob/release/6.3/stdlib/public/Concurrency.
  fileprivate static var current: RuntimeColumn {
    #if arch(arm64)
      return .arm64
    #else
      return loaded_symbol("swift_createExecutors") == nil ? .x86Swift62 : .x86Swift63
    #endif
  }
}
