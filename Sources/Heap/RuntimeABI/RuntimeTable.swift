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
  /// The variable that says whether the frames of tasks lie in slabs; Swift 6.2 does not know it.
  package static let slabSwitch = "SWIFT_DEBUG_ENABLE_TASK_SLAB_ALLOCATOR"

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
  /// The runtime's own lists of tasks.
  package let registry = RegistryRows()
  /// What a stream keeps.
  package let streams = StreamRows()

  /// The column that this process uses.
  package let column: RuntimeColumn
  /// The numbers of the rows whose values are wrong on purpose; none outside tests.
  package let mutants: Set<Int>
  fileprivate let namelessRows: [RuntimeRow]

  /// All rows, in order.
  package var rows: [RuntimeRow] { namedRows }

  /// The rows that one probe checks.
  package func rows(checkedBy probe: RuntimeProbe) -> [RuntimeRow] {
    rows.filter { $0.probe == probe }
  }

  fileprivate init() {
    column = RowBuilder.current.column
    mutants = RowBuilder.current.mutants
    namelessRows = RowBuilder.current.rows
  }

  /// What each row is called: the group, a dot and the property, as `task.size`.
  fileprivate var names: [String] {
    Mirror(reflecting: self).children.flatMap { group in
      Mirror(reflecting: group.value).children.compactMap { property in
        property.label.map { "\(group.label ?? "").\($0)" }
      }
    }
  }
}

/// The table of this process.
package let abi: RuntimeTable = {
  let column = variable("MEMLAB_ABI_COLUMN").flatMap(RuntimeColumn.init) ?? .current
  RowBuilder.current = RowBuilder(column: column)
  let table = RuntimeTable()
  guard let mutants = variable("MEMLAB_ABI_MUTANT")?.split(separator: ",") else { return table }
  let wrong = table.names.enumerated().filter { mutants.contains($0.element[...]) }.map(\.offset)
  RowBuilder.current = RowBuilder(column: column, mutants: Set(wrong))
  return RuntimeTable()
}()

// A mirror lists the properties of the table in the order in which they are made.
private let namedRows = zip(abi.namelessRows, abi.names).map { row, name in
  var row = row
  row.name = name
  return row
}

private func variable(_ name: String) -> String? {
  memlab_process_variable(name).map { String(cString: $0) }
}

extension RuntimeColumn {
  /// Whether the runtime is older than Swift 6.3.
  ///
  /// It does not say its version. What it exports tells: Swift 6.3 brought custom executors,
  /// https://github.com/swiftlang/swift/blob/release/6.3/stdlib/public/Concurrency.
  package static let isBefore63 = memlab_loaded_symbol("swift_createExecutors") == nil

  fileprivate static var current: RuntimeColumn {
    #if arch(arm64)
      return .arm64
    #else
      return isBefore63 ? .x86Swift62 : .x86Swift63
    #endif
  }
}

/// One thing that is known of the Swift runtime: the value that this process uses, and where it
/// comes from.
package struct RuntimeRow: Sendable {
  /// What the row is called: the names of its properties in ``RuntimeTable``, as `task.size`.
  package fileprivate(set) var name = ""
  /// The value in use, as text.
  package let value: String
  /// Where the value is written down: a file of https://github.com/swiftlang/swift, or of the
  /// project that the path begins with.
  package let source: String
  /// What plants the thing that the row describes and reads it back.
  package let probe: RuntimeProbe
  /// In which processes there is such a thing.
  package let presence: RowPresence
}

/// In which processes there is what a row describes. Elsewhere nothing is read by the row.
package enum RowPresence: Sendable {
  /// In all.
  case everywhere
  /// Where the frames of tasks lie in slabs.
  case whereFramesAreInSlabs
  /// Where the runtime keeps lists of its tasks.
  case whereTasksAreListed
}

/// A processor and a version of the runtime for which the table has values.
package enum RuntimeColumn: String, Sendable, CaseIterable {
  /// Swift 6.3 and later on x86-64.
  case x86Swift63 = "x86-64, Swift 6.3"
  /// Swift 6.2 on x86-64.
  case x86Swift62 = "x86-64, Swift 6.2"
  /// Swift 6.2 and later on arm64. Only 6.2.3 was tried.
  case arm64 = "arm64, Swift 6.2"
}

/// A value that a row of the table can have.
package protocol RuntimeValue: Sendable {
  /// A wrong value, with which the row's probe must fail.
  var mutant: Self { get }
}

extension RuntimeValue where Self: FixedWidthInteger {
  /// The number plus one.
  package var mutant: Self { self &+ 1 }
}

extension RuntimeValue where Self: ExpressibleByStringLiteral {
  /// A text that no library has as a name.
  package var mutant: Self { "?" }
}

extension UInt: RuntimeValue {}
extension UInt32: RuntimeValue {}
extension String: RuntimeValue {}
extension StaticString: RuntimeValue {}

extension Array: RuntimeValue where Element: RuntimeValue {
  /// No elements.
  package var mutant: [Element] { [] }
}

extension Dictionary: RuntimeValue where Key: RuntimeValue, Value: RuntimeValue {
  /// No entries.
  package var mutant: [Key: Value] { [:] }
}

/// Chooses the value of each row while the table is made, and notes the row.
///
/// The table's properties are plain values, so that reading one costs a load. What is known beside
/// the value (name, source, probe) is kept apart, for reports.
struct RowBuilder {
  /// The column that this process uses.
  let column: RuntimeColumn
  /// The numbers of the rows whose values are to be wrong; none outside tests.
  var mutants: Set<Int> = []
  /// The rows so far, without their names.
  var rows: [RuntimeRow] = []

  /// The builder of the table that is being made. The table is made once, by the thread that asks
  /// first; the others wait for it.
  nonisolated(unsafe) static var current = RowBuilder(column: .x86Swift63)
}

/// A row of the table.
///
/// - Parameters:
///   - value: the value on x86-64 with Swift 6.3.
///   - source: where the value is written down.
///   - probe: what plants the thing and reads it back.
///   - others: the value in the columns where it is another one.
///   - presence: in which processes there is such a thing.
///   - mutant: the wrong value for the test of the probe; nil for the type's own.
/// - Returns: the value to use in this process.
func row<Value: RuntimeValue>(
  _ value: Value, _ source: String, _ probe: RuntimeProbe,
  _ others: KeyValuePairs<RuntimeColumn, Value> = [:], _ presence: RowPresence = .everywhere,
  mutant: Value? = nil
) -> Value {
  var value = others.first { $0.key == RowBuilder.current.column }?.value ?? value
  if RowBuilder.current.mutants.contains(RowBuilder.current.rows.count) {
    value = mutant ?? value.mutant
  }
  RowBuilder.current.rows.append(
    RuntimeRow(value: "\(value)", source: source, probe: probe, presence: presence))
  return value
}

/// What plants a thing in this process and reads it back, to check the rows that describe it.
///
/// The names are those that `memlab doctor --verbose` prints.
package enum RuntimeProbe: String, Sendable, CaseIterable {
  /// A class, its superclass and their stored properties.
  case classes
  /// A generic class of another library's superclass, whose members only the process can place.
  case resilientClasses
  /// A property whose type depends on a generic class's arguments.
  case genericTypes
  /// A lazy property.
  case lazyProperties
  /// Strong, `unowned` and weak reference counts.
  case referenceCounts
  /// An object that has weak references.
  case sideTables
  /// A structure in a property.
  case structures
  /// Enumerations with one and with several payloads.
  case enumerations
  /// An indirect case of an enumeration.
  case indirectCases
  /// A tuple in a property.
  case tuples
  /// `Any` and `any Protocol`.
  case existentials
  /// What a closure captured.
  case closures
  /// The box of a captured variable of a generic type.
  case boxes
  /// A thrown error.
  case errors
  /// The elements of an array.
  case arrays
  /// The keys and the values of a dictionary.
  case dictionaries
  /// The elements of a set.
  case sets
  /// The elements of a queue, such as an `AsyncStream`'s buffer.
  case deques
  /// A native string.
  case strings
  /// How a property refers to an object: strongly, weakly, `unowned`, unmanaged, as a pointer.
  case ownership
  /// What `libswift_Concurrency` must export, as it does for debuggers.
  case exports
  /// What it exports of the layout of tasks, and what can be read without.
  case layoutNumbers
  /// A task's state: number, flags, suspended, enqueued, running, cancelled, finished.
  case tasks
  /// A task's name.
  case taskNames
  /// The functions in which a suspended task goes on, and what their frames hold.
  case frames
  /// Further slabs of a task's memory.
  case slabs
  /// The result of a finished task, and the error of one that failed.
  case taskResults
  /// A child task of `async let`.
  case asyncLet
  /// A child task in a task group.
  case taskGroups
  /// Tasks that wait for another task.
  case waiters
  /// A task-local value.
  case taskLocals
  /// A call that libdispatch has noted.
  case dispatchBlocks
  /// Linker names, and the texts that the demangler makes of them.
  case symbolNames
  /// The names of library functions in which a task waits.
  case libraryFrames
  /// The names of modules, libraries and threads.
  case libraryNames
  /// The names that Swift Testing has for its tasks and types.
  case testLibrary
  /// Executors and jobs.
  case executors
  /// Jobs beside a task's own, which escalate its priority.
  case stealers
  /// The runtime's own lists of its tasks.
  case registry
  /// What a stream keeps what it has buffered in.
  case streams
}
