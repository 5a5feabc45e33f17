// swift-tools-version: 6.2

import PackageDescription

// The portable configuration is what a Mac compiles, and what CI tests on Linux: everything but the
// reading of the heap.
#if os(macOS)
  let isPortable = true
#else
  let isPortable = Context.environment["MEMLAB_PORTABLE"] == "1"
#endif

/// A folder of Swift or C, and the module that it becomes.
struct Room {
  let name: String
  let path: String
  /// The names of the rooms that it imports, with spaces between them.
  let imports: String
  var kind = Target.TargetType.regular
  var plugins: [Target.PluginUsage] = []
  var exclude: [String] = []
  /// Whether it has what other packages have, and no more.
  var isOutside = false
  /// Whether it is Swift 5, as the documents' code and that of learners is: most of it does not compile
  /// in Swift 6 mode, which the lessons tell. They write `DataCacheRepo` for `any DataCacheRepo`, too.
  var isSwift5 = false
  /// Whether unsafe code is an error: what it does with an object that is gone, no judge sees.
  var isStrict = false

  /// The room of a wing: `Sources/Program/CLI` becomes `MemlabCLI`.
  init(_ wing: String, _ name: String, _ imports: String = "") {
    let folder = isPortable && name == "HeapReader" ? "HeapUnread" : name
    (self.name, path, self.imports) = (name, "Sources/\(wing)/\(folder)", imports)
  }

  /// A folder of `Tests`, or of its `Fixtures` where it is a program.
  init(test name: String, _ imports: String = "", path: String? = nil) {
    kind = name.hasSuffix("Tests") ? .test : name == "TestSupport" ? .regular : .executable
    let folder = (kind == .executable ? "Fixtures/" : "") + name
    (self.name, self.path, self.imports) = (name, "Tests/" + (path ?? folder), imports)
  }

  func with<Value>(_ property: WritableKeyPath<Room, Value>, _ value: Value) -> Room {
    var room = self
    room[keyPath: property] = value
    return room
  }

  var executable: Room { with(\.kind, .executable) }
  var fromOutside: Room { with(\.isOutside, true) }
  var inSwift5: Room { with(\.isSwift5, true) }
  var strict: Room { with(\.isStrict, true) }
  func excluding(_ name: String) -> Room { with(\.exclude, [name]) }
  func using(_ plugin: String) -> Room { with(\.plugins, [.plugin(name: plugin)]) }
}

// The rooms of `Sources`, wing by wing. A room imports rooms that stand below it, and no others.
let rooms = [
  // The programs: memlab has what a first scenario needs, memlab-full the rest as well.
  Room("Program", "FullMain", "Course CLI TerminalText Platform").executable,
  Room("Program", "Main", "Scenarios CLI TerminalText Platform").executable,

  // Course: what is taught.
  Room("Course", "Course", "Exercises Scenarios Full CLI Kit"),
  Room("Course", "ExerciseSolutions", "Exercises Patterns Kit").inSwift5,
  Room("Course", "Exercises", "ExerciseJudges Patterns Kit").inSwift5.strict.excluding("Shipped"),
  // Apart from what it judges: a name that a learner declares means nothing here.
  Room("Course", "ExerciseJudges", "Patterns Kit").inSwift5,
  Room("Course", "Scenarios", "Patterns Kit Platform")
    .inSwift5.fromOutside.using("EmbedListings"),
  Room("Course", "Patterns"),

  // Program: what somebody types and reads. Memlab is for packages with scenarios of their own.
  Room("Program", "Memlab", "Full CLI Kit TerminalText Platform"),
  Room(
    "Program", "Full", "CLI Watch Site Reports TerminalText Kit HeapModel Platform"),
  Room("Program", "CLI", "Reports TerminalText Kit HeapModel Platform"),
  Room("Program", "Watch", "Reports TerminalText HeapReader HeapModel Platform"),
  Room("Program", "Site", "PageFiles Reports TerminalText Kit HeapModel Platform"),
  Room("Program", "PageFiles").excluding("Files").using("MemlabEmbedFiles"),
  Room("Program", "Reports", "TerminalText Kit HeapModel"),
  Room("Program", "TerminalText", "Platform"),

  // YourTests: LeakCheck. With LEAKCHECK=all, LeakCheckAll judges tests that say nothing of leaks.
  Room("YourTests", "LeakCheckAll", "LeakCheck CMemlabTraits Platform"),
  // Apart from LeakCheck: a package that imports XCTest links it, and Foundation with it.
  Room("YourTests", "LeakCheckXCTest", "LeakCheck"),
  Room("YourTests", "LeakCheck", "CMemlabStart HeapReader HeapModel Platform"),
  Room("YourTests", "CMemlabTraits"),
  Room("YourTests", "CMemlabStart", "CMemlabRecorder"),

  // Running: what is in a program that is watched, preloaded or linked.
  Room(
    "Running", "CMemlabLinkedAgent",
    isPortable ? "" : "CMemlabAgent Probe CMemlabRecorder CMemlabProcess"),
  Room("Running", "Probe", "HeapReader HeapModel CMemlabRecorder CMemlabProcess Platform"),
  Room("Running", "CMemlabAgent", "CMemlabRecorder"),

  // Lab: one trial, two witnesses and the report.
  Room("Lab", "Kit", "CMemlabLab HeapReader HeapModel Platform"),
  Room("Lab", "CMemlabLab"),

  // Heap: what memory says.
  Room("Heap", "HeapReader", "HeapModel RuntimeABI CMemlabRecorder CMemlabProcess Platform"),
  // What a report is made of, on every platform. Where the heap is not read, HeapUnread is HeapReader.
  Room("Heap", "HeapModel", "RuntimeABI CMemlabRecorder Platform"),
  Room("Heap", "RuntimeABI", "CMemlabProcess Platform"),
  Room("Heap", "CMemlabRecorder", "CMemlabProcess"),
  Room("Heap", "CMemlabProcess"),
  // What differs between platforms.
  Room("Heap", "Platform"),
]

// The tests, and the programs that they run.
let program = "CLI Course Kit TerminalText"
let tests = [
  Room(
    test: "CLITests",
    "\(program) Full Main FullMain Exercises Scenarios Platform HeapModel Reports Site Watch "
      + "RuntimeABI TestSupport HardCases ChosenScenarios MemlabBench OurLab WatchedProgram "
      + "LinkedProgram"
  ).excluding("Golden"),
  Room(
    test: "ExerciseTests",
    "\(program) Full Exercises ExerciseSolutions Main FullMain SolvedExercises TestSupport "
      + "WrongExercises"),
  Room(
    test: "HeapReaderTests",
    "HeapReader HeapModel CMemlabRecorder CMemlabProcess RuntimeABI Platform TestSupport"),
  Room(
    test: "LeakCheckTests",
    "LeakCheck LeakCheckAll LeakCheckXCTest HeapModel TestSupport"),
  Room(
    test: "LessonTests", "Course Scenarios Kit OurLab TestSupport Main FullMain"),
  Room(
    test: "MemlabKitTests",
    "Kit TestSupport VirtualTime Disagreement Schedules TracedRuns HardCases"
  ).excluding("Golden"),
  // Of the script that tries mutants: which of them it chooses.
  Room(test: "MutantTests", path: "Mutants").excluding("mutants.txt"),
  Room(test: "PatternsTests", "Patterns"),
  Room(
    test: "PortableTests", "HeapReader HeapModel LeakCheck Main Platform TestSupport"),
  Room(test: "ScenarioTests", "Scenarios CLI Course Kit"),
  Room(test: "TestSupport", "Kit HeapReader HeapModel RuntimeABI"),
  // What memlab itself costs: `make bench`.
  Room(test: "MemlabBench", "\(program) HeapReader HeapModel", path: "Bench"),
  // The sample of a package with scenarios of its own. `make sample` builds it from outside.
  Room(test: "OurLab", "Memlab", path: "Fixtures/OurLab/Sources/OurLab")
    .fromOutside.using("EmbedListings"),
  // A program to watch, and the same with the agent linked in: `make linked`.
  Room(test: "WatchedProgram"),
  Room(
    test: "LinkedProgram", "CMemlabLinkedAgent",
    path: "Fixtures/LinkedProgram/Sources/LinkedProgram"
  ).fromOutside,
  // Programs like memlab: with those scenarios only that the first word names; with one that deceives
  // the ledger; with some that are hard to report on; with orders that can be counted by hand.
  Room(test: "ChosenScenarios", program),
  Room(test: "Disagreement", "CLI Kit TerminalText"),
  Room(test: "HardCases", "Scenarios CLI Kit Platform HeapModel TerminalText"),
  Room(test: "Schedules", "CLI Kit TerminalText"),
  // With exercises that are all solved, and with wrong solutions.
  Room(test: "SolvedExercises", "ExerciseSolutions CLI Course Platform TerminalText"),
  Room(test: "WrongExercises", "\(program) Exercises Patterns").inSwift5,
  // A test process cannot have the virtual scheduler: what its executors do, and one leak many times.
  Room(test: "VirtualTime", "Kit"),
  Room(test: "TracedRuns", "Kit HeapModel"),
]

// Reading the heap takes several times as long in code that is not optimised: in memlab's tests, and in
// those of every package that uses LeakCheck. The code under study is as its configuration says.
let optimized =
  Context.environment["MEMLAB_UNOPTIMIZED"] == "1"
  ? [] : ["HeapReader", "HeapModel", "RuntimeABI", "CMemlabRecorder", "CMemlabProcess"]

/// The name of a room's module. None is one that another package may have.
@MainActor func module(_ name: String) -> String {
  let own = ["Memlab", "CMemlab", "LeakCheck"].contains(where: name.hasPrefix)
  return own || !rooms.contains { $0.name == name } ? name : "Memlab" + name
}

@MainActor func target(_ room: Room) -> Target {
  let isC = room.name.hasPrefix("CMemlab")
  let isOptimized = optimized.contains(room.name)
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
  var settings: [SwiftSetting] =
    (["InternalImportsByDefault", "MemberImportVisibility"]
    + (room.isSwift5 ? [] : ["ExistentialAny"]))
    .map { .enableUpcomingFeature($0) }
  if room.isSwift5 { settings.append(.swiftLanguageMode(.v5)) }
  if room.isStrict {
    settings += [.strictMemorySafety(), .treatWarning("StrictMemorySafety", as: .error)]
  }
  if isOptimized { settings.append(.unsafeFlags(["-O"], .when(configuration: .debug))) }
  // Where code was is asked of memlab, not what its variables are: a third of the program's size.
  if room.path.hasPrefix("Sources"), !room.isSwift5 {
    settings.append(.unsafeFlags(["-gline-tables-only"], .when(configuration: .release)))
  }
  if isPortable { settings.append(.define("MEMLAB_PORTABLE")) }
  let cSettings: [CSetting] =
    isPortable
    ? [.define("MEMLAB_PORTABLE")]
    : isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []
  let (name, path, exclude) = (module(room.name), room.path, room.exclude)
  let imports = room.imports.split(separator: " ").map {
    Target.Dependency(stringLiteral: module(String($0)))
  }
  return switch room.kind {
  case .executable:
    .executableTarget(
      name: name, dependencies: imports, path: path, exclude: exclude,
      packageAccess: !room.isOutside, swiftSettings: settings, plugins: room.plugins)
  case .test:
    .testTarget(
      name: name, dependencies: imports, path: path, exclude: exclude, swiftSettings: settings)
  default:
    .target(
      name: name, dependencies: imports, path: path, exclude: exclude,
      packageAccess: !room.isOutside, cSettings: isC ? cSettings : [],
      swiftSettings: isC ? [] : settings, plugins: room.plugins)
  }
}

// In the portable configuration nothing reads the heap, and PortableTests says so.
let needHeap = ["CMemlabAgent", "Probe", "HeapReaderTests", "LeakCheckTests"]
let watching: [Product] = [
  // What a program links in to be watched without preloading, as one with a static runtime must.
  .library(name: "MemlabAgent", targets: ["CMemlabLinkedAgent"]),
  // What `memlab watch` puts into a program.
  .library(name: "memlab-agent", type: .dynamic, targets: ["CMemlabAgent"]),
  .library(name: "memlab-probe", type: .dynamic, targets: ["MemlabProbe"]),
]

let package = Package(
  name: "memlab",
  // Tasks have names since Swift 6.2, whose runtime came with this system.
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "memlab", targets: ["MemlabMain"]),
    .executable(name: "memlab-full", targets: ["MemlabFullMain"]),
    .library(name: "Memlab", targets: ["Memlab"]),
    .plugin(name: "EmbedListings", targets: ["EmbedListings"]),
    .library(name: "LeakCheck", targets: ["LeakCheck"]),
    .library(name: "LeakCheckXCTest", targets: ["LeakCheckXCTest"]),
    .library(name: "LeakCheckAll", targets: ["LeakCheckAll"]),
  ] + watching.prefix(isPortable ? 1 : 3),
  targets: (rooms + tests).filter {
    isPortable ? !needHeap.contains($0.name) : $0.name != "PortableTests"
  }.map(target) + [
    // Puts the code under study into the binary; the files of the pages, too.
    .plugin(name: "EmbedListings", capability: .buildTool()),
    .plugin(name: "MemlabEmbedFiles", capability: .buildTool()),
  ],
  swiftLanguageModes: [.v6]
)
