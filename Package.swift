// swift-tools-version: 6.2

import PackageDescription

// The portable configuration is what a Mac compiles, and what CI tests on Linux: everything but the
// reading of the heap.
#if os(macOS)
  let isPortable = true
#else
  let isPortable = Context.environment["MEMLAB_PORTABLE"] == "1"
#endif

/// A folder of `Sources` or `Tests`, and the module that it becomes.
struct Room {
  /// A wing of the house, or the folder of a fixture.
  let wing: String
  let name: String
  /// The rooms that it imports. In a wing, they stand below it in the table, or in the same wing.
  let imports: [String]
  var kind = Target.TargetType.regular
  var settings: [SwiftSetting] = []
  var plugin: Target.PluginUsage?
  var exclude: [String] = []
  var isOutside = false

  /// - Parameter imports: names of rooms, with spaces between them.
  init(_ wing: String, _ name: String, _ imports: String = "") {
    (self.wing, self.name) = (wing, name)
    self.imports = imports.split(separator: " ").map(String.init)
  }

  /// The module MemlabCLI of the wing Program is in `Sources/Program/CLI`.
  var path: String {
    if wing.hasPrefix("Tests") { return wing }
    if isPortable, name == "MemlabHeapReader" { return "Sources/Heap/HeapUnread" }
    let prefix = "Memlab"
    return "Sources/\(wing)/"
      + (name.hasPrefix(prefix) && name != prefix ? String(name.dropFirst(prefix.count)) : name)
  }

  func with(_ change: (inout Room) -> Void) -> Room {
    var room = self
    change(&room)
    return room
  }

  /// The documents' code, and that of learners, is Swift 5 code: most of it does not compile in Swift 6
  /// mode, which the lessons tell.
  var inSwift5: Room { with { $0.settings += [.swiftLanguageMode(.v5)] } }
  /// Has what an outside package has.
  var fromOutside: Room { with { $0.isOutside = true } }
  var executable: Room { with { $0.kind = .executable } }
  var tests: Room { with { $0.kind = .test } }
  func excluding(_ names: String...) -> Room { with { $0.exclude += names } }
  func using(_ plugin: String) -> Room { with { $0.plugin = .plugin(name: plugin) } }
  func setting(_ settings: SwiftSetting...) -> Room { with { $0.settings += settings } }
}

// The rooms, wing by wing. A room imports rooms of the lines below it only.
let rooms = [
  // Program: what somebody types and reads.
  // Not named as the program is: file systems that ignore case have one place for both modules.
  Room(
    "Program", "MemlabMain", "MemlabCourse MemlabCLI MemlabTerminalText MemlabPlatform"
  ).executable,

  // Course: what is taught.
  // What memlab itself is, besides a program like any other: the catalog and the course.
  Room("Course", "MemlabCourse", "MemlabExercises MemlabScenarios MemlabCLI MemlabKit"),
  Room("Course", "MemlabScenarios", "MemlabPatterns Memlab MemlabPlatform")
    .inSwift5.fromOutside.using("EmbedListings"),
  // Only tests import the solutions.
  Room("Course", "MemlabExerciseSolutions", "MemlabExercises MemlabPatterns MemlabKit").inSwift5,
  // What unsafe code does with an object that is gone, no judge sees.
  Room("Course", "MemlabExercises", "MemlabExerciseJudges MemlabPatterns MemlabKit")
    .inSwift5.excluding("Shipped")
    .setting(.strictMemorySafety(), .treatWarning("StrictMemorySafety", as: .error)),
  // Apart from what it judges: a name that a learner declares means nothing here.
  Room("Course", "MemlabExerciseJudges", "MemlabPatterns MemlabKit").inSwift5,
  Room("Course", "MemlabPatterns"),

  // Program, below the course: what a package with scenarios of its own has as well.
  Room("Program", "Memlab", "MemlabCLI MemlabKit MemlabTerminalText MemlabPlatform"),
  Room(
    "Program", "MemlabCLI",
    "MemlabWatch MemlabSite MemlabReports MemlabTerminalText MemlabKit MemlabHeapModel "
      + "MemlabPlatform"),
  Room(
    "Program", "MemlabWatch",
    "MemlabReports MemlabTerminalText MemlabHeapReader MemlabHeapModel MemlabPlatform"),
  Room(
    "Program", "MemlabSite",
    "MemlabPageFiles MemlabReports MemlabTerminalText MemlabKit MemlabHeapModel MemlabPlatform"),
  Room("Program", "MemlabReports", "MemlabTerminalText MemlabKit MemlabHeapModel"),
  Room("Program", "MemlabPageFiles").excluding("Files").using("MemlabEmbedFiles"),
  Room("Program", "MemlabTerminalText", "MemlabPlatform"),

  // YourTests: LeakCheck.
  // Judges tests that say nothing of leaks, where the environment has LEAKCHECK=all.
  Room("YourTests", "LeakCheckAll", "LeakCheck CMemlabTraits MemlabPlatform"),
  // Apart from LeakCheck: a package that imports XCTest links it, and Foundation with it.
  Room("YourTests", "LeakCheckXCTest", "LeakCheck"),
  Room(
    "YourTests", "LeakCheck", "CMemlabStart MemlabHeapReader MemlabHeapModel MemlabPlatform"),
  Room("YourTests", "CMemlabTraits"),
  // Begins to record before `main`, in whatever links LeakCheck and in nothing else.
  Room("YourTests", "CMemlabStart", "CMemlabRecorder"),

  // Running: what is in a program that is watched.
  // Agent and probe in the program's own file. Elsewhere than on Linux, nothing.
  Room(
    "Running", "CMemlabLinkedAgent",
    isPortable ? "" : "CMemlabAgent MemlabProbe CMemlabRecorder CMemlabProcess"),
  // Opened by the agent: it reads the heap in the copy.
  Room(
    "Running", "MemlabProbe",
    "MemlabHeapReader MemlabHeapModel CMemlabRecorder CMemlabProcess MemlabPlatform"),
  // Preloaded into a program that is watched: it records, and copies the process.
  Room("Running", "CMemlabAgent", "CMemlabRecorder"),

  // Lab: one trial, two witnesses and the report.
  Room("Lab", "MemlabKit", "CMemlabLab MemlabHeapReader MemlabHeapModel MemlabPlatform"),
  Room("Lab", "CMemlabLab"),

  // Heap: what memory says.
  // On Linux. In the portable configuration, a file says in its place that the heap is not read.
  Room(
    "Heap", "MemlabHeapReader",
    "MemlabHeapModel MemlabRuntimeABI CMemlabRecorder CMemlabProcess MemlabPlatform"),
  // The values that a report is made of, on every platform.
  Room("Heap", "MemlabHeapModel", "MemlabRuntimeABI CMemlabRecorder MemlabPlatform"),
  Room("Heap", "MemlabRuntimeABI", "CMemlabProcess MemlabPlatform"),
  Room("Heap", "CMemlabRecorder", "CMemlabProcess"),
  Room("Heap", "CMemlabProcess"),
  // What differs between platforms.
  Room("Heap", "MemlabPlatform"),
]

// Programs that the tests run, and the tests.
let fixtures = "Tests/Fixtures"
let commandLine = "MemlabCLI MemlabCourse MemlabKit MemlabTerminalText"
let tests = [
  Room(
    "Tests/TestSupport", "TestSupport",
    "MemlabKit MemlabHeapReader MemlabHeapModel MemlabRuntimeABI"),
  Room("\(fixtures)/WatchedProgram", "WatchedProgram").executable,
  // The same with the agent linked in. `make linked` builds it from outside, with a static runtime.
  Room("\(fixtures)/LinkedProgram/Sources/LinkedProgram", "LinkedProgram", "CMemlabLinkedAgent")
    .executable.fromOutside,
  // Prints what memlab's executors do; a test process cannot replace its own.
  Room("\(fixtures)/VirtualTime", "VirtualTime", "MemlabKit").executable,
  // A memlab whose scenario deceives the ledger.
  Room("\(fixtures)/Disagreement", "Disagreement", "MemlabCLI MemlabKit MemlabTerminalText")
    .executable,
  // A memlab whose exercises are all solved.
  Room(
    "\(fixtures)/SolvedExercises", "SolvedExercises",
    "MemlabExerciseSolutions MemlabCLI MemlabCourse MemlabPlatform MemlabTerminalText"
  ).executable,
  // Puts wrong solutions of the exercises through their endings.
  Room(
    "\(fixtures)/WrongExercises", "WrongExercises",
    "MemlabExercises MemlabPatterns \(commandLine)"
  ).executable.inSwift5,
  // A memlab whose scenarios have orders that can be counted by hand.
  Room("\(fixtures)/Schedules", "Schedules", "MemlabCLI MemlabKit MemlabTerminalText").executable,
  // Traces one leak many times over; a test process cannot have the virtual scheduler.
  Room("\(fixtures)/TracedRuns", "TracedRuns", "MemlabKit MemlabHeapModel").executable,
  // A memlab whose scenarios are hard to report on, or never come to rest.
  Room(
    "\(fixtures)/HardCases", "HardCases",
    "MemlabScenarios MemlabCLI MemlabKit MemlabHeapModel MemlabTerminalText MemlabPlatform"
  ).executable,
  // The sample of a package with scenarios of its own. `make sample` builds it from outside.
  Room("\(fixtures)/OurLab/Sources/OurLab", "OurLab", "Memlab")
    .executable.fromOutside.using("EmbedListings"),
  // A memlab with those scenarios only that its first word names.
  Room("\(fixtures)/ChosenScenarios", "ChosenScenarios", commandLine).executable,
  // What memlab itself costs: `make bench`.
  Room("Tests/Bench", "MemlabBench", "\(commandLine) MemlabHeapReader MemlabHeapModel").executable,
  Room(
    "Tests/HeapReaderTests", "HeapReaderTests",
    "MemlabHeapReader MemlabHeapModel CMemlabRecorder CMemlabProcess MemlabRuntimeABI "
      + "MemlabPlatform TestSupport"
  ).tests,
  Room(
    "Tests/ExerciseTests", "ExerciseTests",
    "MemlabExercises MemlabExerciseSolutions \(commandLine) MemlabMain SolvedExercises TestSupport "
      + "WrongExercises"
  ).tests,
  Room(
    "Tests/MemlabKitTests", "MemlabKitTests",
    "MemlabKit TestSupport VirtualTime Disagreement Schedules TracedRuns HardCases"
  ).tests.excluding("Golden"),
  Room(
    "Tests/ScenarioTests", "ScenarioTests",
    "MemlabScenarios MemlabCLI MemlabCourse MemlabKit TestSupport"
  ).tests,
  Room(
    "Tests/LeakCheckTests", "LeakCheckTests",
    "LeakCheck LeakCheckAll LeakCheckXCTest MemlabHeapModel TestSupport"
  ).tests,
  Room("Tests/PatternsTests", "PatternsTests", "MemlabPatterns").tests,
  Room(
    "Tests/CLITests", "CLITests",
    "\(commandLine) MemlabMain MemlabExercises MemlabScenarios MemlabHeapModel "
      + "MemlabReports MemlabSite MemlabWatch MemlabRuntimeABI TestSupport HardCases "
      + "ChosenScenarios MemlabBench OurLab WatchedProgram LinkedProgram"
  ).tests.excluding("Golden"),
  // Of the script that tries mutants: which of them it chooses.
  Room("Tests/Mutants", "MutantTests").tests.excluding("mutants.txt"),
  Room(
    "Tests/LessonTests", "LessonTests",
    "MemlabCourse MemlabScenarios MemlabKit OurLab TestSupport MemlabMain"
  ).tests,
  Room(
    "Tests/PortableTests", "PortableTests",
    "MemlabHeapReader MemlabHeapModel LeakCheck MemlabKit MemlabMain MemlabScenarios TestSupport "
      + "MemlabPlatform"
  ).tests,
]

// In the portable configuration, nothing reads the heap, and one test says so.
let needHeap = ["CMemlabAgent", "MemlabProbe", "HeapReaderTests", "LeakCheckTests"]
let chosen = (rooms + tests).filter {
  isPortable ? !needHeap.contains($0.name) : $0.name != "PortableTests"
}

// The documents, and learners, write `DataCacheRepo` where ExistentialAny wants `any DataCacheRepo`.
let inOldStyle = [
  "MemlabScenarios", "MemlabExerciseJudges", "MemlabExercises", "MemlabExerciseSolutions",
  "WrongExercises",
]
// Reading the heap takes several times as long in code that is not optimised: in memlab's tests, and in
// those of every package that uses LeakCheck. The code under study is as its configuration says.
let optimized =
  Context.environment["MEMLAB_UNOPTIMIZED"] == "1"
  ? []
  : [
    "MemlabHeapReader", "MemlabHeapModel", "MemlabRuntimeABI", "CMemlabRecorder", "CMemlabProcess",
  ]

func target(_ room: Room) -> Target {
  let isC =
    room.name.hasPrefix("C") && room.name.dropFirst().first?.isUppercase == true
    && room.kind == .regular
  let path = room.path
  var settings = room.settings
  if !isC {
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
    settings.append(.enableUpcomingFeature("InternalImportsByDefault"))
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
    settings.append(.enableUpcomingFeature("MemberImportVisibility"))
    if !inOldStyle.contains(room.name) {
      // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
      settings.append(.enableUpcomingFeature("ExistentialAny"))
    }
    if isPortable { settings.append(.define("MEMLAB_PORTABLE")) }
  }
  var cSettings: [CSetting] = isC && isPortable ? [.define("MEMLAB_PORTABLE")] : []
  if optimized.contains(room.name) {
    if isC {
      cSettings.append(.unsafeFlags(["-O2"], .when(configuration: .debug)))
    } else {
      settings.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    }
  }
  let imports = room.imports.map { Target.Dependency(stringLiteral: $0) }
  let plugins = room.plugin.map { [$0] } ?? []
  switch room.kind {
  case .executable:
    return .executableTarget(
      name: room.name, dependencies: imports, path: path, exclude: room.exclude,
      packageAccess: !room.isOutside, swiftSettings: settings, plugins: plugins)
  case .test:
    return .testTarget(
      name: room.name, dependencies: imports, path: path, exclude: room.exclude,
      swiftSettings: settings)
  default:
    return .target(
      name: room.name, dependencies: imports, path: path, exclude: room.exclude,
      packageAccess: !room.isOutside, cSettings: cSettings, swiftSettings: isC ? [] : settings,
      plugins: plugins)
  }
}

let package = Package(
  name: "memlab",
  // Tasks have names since Swift 6.2, whose runtime came with this system.
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "memlab", targets: ["MemlabMain"]),
    .library(name: "Memlab", targets: ["Memlab"]),
    .plugin(name: "EmbedListings", targets: ["EmbedListings"]),
    .library(name: "LeakCheck", targets: ["LeakCheck"]),
    .library(name: "LeakCheckXCTest", targets: ["LeakCheckXCTest"]),
    .library(name: "LeakCheckAll", targets: ["LeakCheckAll"]),
    // What a program links in to be watched without preloading, as one with a static runtime must.
    .library(name: "MemlabAgent", targets: ["CMemlabLinkedAgent"]),
  ]
    + (isPortable
      ? []
      : [
        // What `memlab watch` puts into a program.
        .library(name: "memlab-agent", type: .dynamic, targets: ["CMemlabAgent"]),
        .library(name: "memlab-probe", type: .dynamic, targets: ["MemlabProbe"]),
      ]),
  targets: chosen.map(target) + [
    // Puts the code under study into the binary, and the files of the pages.
    .plugin(name: "EmbedListings", capability: .buildTool()),
    .plugin(name: "MemlabEmbedFiles", capability: .buildTool()),
  ],
  swiftLanguageModes: [.v6]
)
