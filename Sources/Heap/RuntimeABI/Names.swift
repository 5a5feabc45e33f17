private let demangler = "lib/Demangling/NodePrinter.cpp"
private let concurrency = "stdlib/public/Concurrency"
private let debug = concurrency + "/Debug.h"
private let libraries = "stdlib/public/CMakeLists.txt"
private let mangling = "docs/ABI/Mangling.rst"

/// The names of what the libraries export, and marks in linker names.
package struct SymbolRows: Sendable {
  /// Begins the names of what `libswift_Concurrency` exports for debuggers.
  package let debugPrefix = row("_swift_concurrency_debug_", debug, .exports)
  /// The address of the metadata of tasks.
  package let taskMetadata = row("asyncTaskMetadata", debug, .exports)
  /// The address of the metadata of slabs.
  package let slabMetadata = row(
    "asyncTaskSlabMetadata", debug, .slabs, [:], .whereFramesAreInSlabs)
  /// The version of the layout of tasks.
  package let layoutVersion = row("internal_layout_version", debug, .layoutNumbers)
  /// The size of a task.
  package let taskSize = row("asyncTaskSize", debug, .layoutNumbers)
  /// The function that turns linker names into names.
  package let demangle = row("swift_demangle", "include/swift/Demangling/Demangle.h", .symbolNames)
  /// Something that the core library exports: `print`.
  package let inCore = row(
    "$ss5print_9separator10terminatoryypd_S2StF", "stdlib/public/core/Print.swift", .symbolNames)
  /// End the names of an async function's parts, before a number and `_`: the awaited call has
  /// returned; the executor was changed.
  package let resumeSuffixes: [StaticString] = row(["TQ", "TY"], mangling, .symbolNames)
  /// Ends the name of a function that only puts in what a closure has captured.
  package let forwarderSuffix = row("TA", mangling, .symbolNames)
  /// Stands in the name of a constant that a variable is initialized with.
  package let constantMark = row("_WZTv", mangling, .symbolNames)
  /// Ends the name of a static variable.
  package let variableSuffix = row("SivpZ", mangling, .symbolNames)
  /// Begins what the demangler says for the scope of a private type.
  package let privateScope: StaticString = row("(unknown context at $", demangler, .symbolNames)
}

/// What the demangler says of code that the compiler wrote to connect two functions.
package struct GlueRows: Sendable {
  /// Begin the names of code that stands for the function named after.
  package let forwarders: [StaticString] = row(
    [
      "partial apply forwarder for ", "partial apply for ", "dispatch thunk of ", "curry thunk of ",
      "async function pointer to ", "distributed thunk ", "@objc ",
    ], demangler, .symbolNames)
  /// Begins the name of the code that a protocol's requirement leads to.
  package let witness: StaticString = row("protocol witness for ", demangler, .symbolNames)
  /// Follows the requirement there.
  package let conformance: StaticString = row(" in conformance ", demangler, .symbolNames)
  /// Begins the name of code that converts a calling convention.
  package let reabstraction: StaticString = row("reabstraction thunk ", demangler, .symbolNames)
  /// Begins the name of code that serves for several functions.
  package let merged: StaticString = row("merged ", demangler, .symbolNames)
  /// Begin the names of specializations.
  package let specializations: [StaticString] = row(
    ["generic ", "function signature "], demangler, .symbolNames)
  /// Names the closure that was inlined into a thunk.
  package let inlinedClosures: [StaticString] = row(
    ["Constant Propagated Function : ", "Closure Propagated : "], demangler, .symbolNames)
  /// Begins the name of a closure.
  package let closure: StaticString = row("closure #", demangler, .symbolNames)
  /// Begins the name of a closure that the compiler has put around an expression.
  package let implicitClosure: StaticString = row("implicit closure #", demangler, .symbolNames)
  /// Begins the name of a method in an extension, before the module's name.
  package let extensionMark: StaticString = row("(extension in ", demangler, .symbolNames)
  /// End the names of a property's functions.
  package let accessors = row(
    ["getter", "setter", "modify", "read", "unsafeMutableAddressor", "init", "didset", "willset"],
    demangler, .symbolNames)
}

/// Library functions that a suspended task is in.
package struct FrameRows: Sendable {
  /// The runtime's functions that resume a task which waits for another, and what that one is.
  package let adapters: [String: String] = row(
    [
      "task_future_wait_resume_adapter": "async let",
      "task_wait_throwing_resume_adapter": "async let",
      "task_group_wait_resume_adapter": "TaskGroup.next()",
    ], concurrency + "/Task.cpp", .libraryFrames)
  /// The functions of `Task.sleep`.
  package let sleeps = row(
    [
      "Task._sleep()", "Task.sleep()", "Clock.sleep()", "ContinuousClock.sleep()",
      "SuspendingClock.sleep()",
    ], concurrency + "/TaskSleep.swift", .libraryFrames)
  /// The function at the end of `withTaskGroup`.
  package let groupEnd = row(
    "awaitAllRemainingTasks()", concurrency + "/TaskGroup.swift", .libraryFrames)
  /// The function of `Task.yield()`.
  package let yield = row("Task.yield()", concurrency + "/Task.swift", .libraryFrames)
  /// The closure that an unnamed `Task {}` runs, where the optimizer has inlined the user's.
  package let taskInit = row(
    "closure #1 in Task.init()", concurrency + "/Task+init.swift.gyb", .libraryFrames)
}

/// Names of modules, libraries and threads.
package struct LibraryRows: Sendable {
  /// The modules of Swift and of the system.
  package let modules = row(
    [
      "Swift", "_Concurrency", "_StringProcessing", "Synchronization", "Dispatch", "Observation",
      "Foundation", "FoundationEssentials", "Testing", "XCTest", "Glibc", "Runtime", "Distributed",
    ], libraries, .libraryNames)
  /// Begin the names of their libraries.
  package let files = row(
    [
      "libswift", "libdispatch", "libFoundation", "lib_Foundation", "libTesting", "libXCTest",
      "libBlocksRuntime", "libc.so", "libstdc++", "libgcc_s", "ld-linux", "linux-vdso",
    ], libraries, .libraryNames)
  /// Begins the name of the core library.
  package let core = row("libswiftCore.so", "stdlib/public/core/CMakeLists.txt", .libraryNames)
  /// Begins the name of the library that runs queues.
  package let dispatch = row(
    "libdispatch.so", "swift-corelibs-libdispatch/CMakeLists.txt", .libraryNames)
  /// Begins the name of the library that runs tasks.
  package let concurrency = row(
    "libswift_Concurrency", "stdlib/public/Concurrency/CMakeLists.txt", .libraryNames)
  /// Begin the names of the libraries that begin each thread, and so stand below all else on its
  /// stack. Before glibc 2.34, threads had a library of their own.
  package let beginThreads = row(
    ["libc.", "libpthread", "ld-"], "glibc/nptl/pthread_create.c", .libraryNames)
  /// Stands in the names of the threads of libdispatch's queues, which are cut off in front:
  /// `oot.default-qos`.
  package let workerThread = row("qos", "swift-corelibs-libdispatch/src/queue.c", .libraryNames)
}

/// The names that Swift Testing has.
package struct TestingRows: Sendable {
  /// Begin the names of the libraries that run tests.
  package let libraries = row(
    ["libTesting.", "libXCTest."], "swift-testing/Package.swift", .testLibrary)
  /// Begins the names of its tasks.
  package let taskPrefix = row(
    "[Swift Testing] ", "swift-testing/Sources/Testing/Running/Runner.swift", .testLibrary)
  /// Begins the names of its types.
  package let typePrefix = row("Testing.", "swift-testing/Sources/Testing", .testLibrary)
  /// Stands in the names of the collections that it keeps tests in.
  package let graph = row(
    "Testing.Graph<", "swift-testing/Sources/Testing/Support/Graph.swift", .testLibrary)
}

/// What a type's mangled name says of how a property refers to something.
package struct ManglingRows: Sendable {
  /// Bytes from 1 to below this are followed by a reference of four bytes.
  package let shortReferences: UInt = row(0x18, mangling, .ownership, mutant: 1)
  /// Bytes from there to below this are followed by a reference of eight bytes.
  package let longReferences: UInt = row(0x20, mangling, .ownership, mutant: 0x74)
  /// Ends the name of a `weak` property's type.
  package let weak: StaticString = row("Xw", mangling, .ownership)
  /// Ends the name of an `unowned` property's type.
  package let unowned: StaticString = row("Xo", mangling, .ownership)
  /// Ends the name of an `unowned(unsafe)` property's type.
  package let unmanaged: StaticString = row("Xu", mangling, .ownership)
  /// End the names of closures' types, and of optional ones.
  package let closures: [StaticString] = row(["c", "cSg"], mangling, .ownership)
  /// The names of `Int`, `UInt`, `Bool`, `Double` and `Float`.
  package let numbers: [StaticString] = row(["Si", "Su", "Sb", "Sd", "Sf"], mangling, .ownership)
  /// The name of an actor's queue.
  package let actorQueue: StaticString = row("BD", mangling, .ownership)
  /// Begin the names of typed pointers.
  package let pointers: [StaticString] = row(["SPy", "Spy", "SRy", "Sry"], mangling, .ownership)
  /// The names of raw pointers.
  package let rawPointers: [StaticString] = row(["Sv", "SV"], mangling, .ownership)
}
