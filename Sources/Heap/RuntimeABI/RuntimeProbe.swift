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
  /// The numbers that `libswift_Concurrency` exports for debuggers.
  case exports
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
}
