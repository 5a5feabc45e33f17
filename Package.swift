// swift-tools-version: 6.2

import PackageDescription

// The portable configuration is what a Mac compiles, and what CI tests on Linux: everything but the
// reading of the heap.
#if os(macOS)
  let isPortable = true
#else
  let isPortable = Context.environment["MEMLAB_PORTABLE"] == "1"
#endif

// Of HeapGraph, what a report is made of, and what says that the heap is not read.
let sourcesWithoutHeap = [
  "Portable", "Report/ChainInWords.swift", "Report/CodeLocation.swift",
  "Report/HeapBlockKind.swift", "Report/HeapTask.swift", "Report/Holder.swift",
  "Report/HolderMap.swift", "Report/ProgramSymbols.swift", "Report/Sequence+Uniqued.swift",
  "Report/RetainChain+JSON.swift", "Report/RetainChain+Source.swift", "Report/RetainChain.swift",
  "Report/ChainSource.swift", "Report/TaskTrace.swift", "Dump/HeapDump.swift",
  "Dump/HeapDump+Bytes.swift", "Dump/HeapDump+Chains.swift", "Dump/DumpWriter.swift",
  "Dump/GrowthEntries.swift", "Dump/HeldAlike.swift", "Dump/HeapGrowth.swift",
  "Dump/HeapTotals.swift",
  "Runtime/TypeName.swift", "Abandonment/PendingWork.swift", "Abandonment/WaysIn.swift",
  "Process/Guarded.swift",
  "HeapError.swift", "HeapRecording.swift",
]

let package = Package(
  name: "memlab",
  // Tasks have names since Swift 6.2, whose runtime came with this system.
  platforms: [.macOS(.v26)],
  products: [
    .executable(name: "memlab", targets: ["MemlabProgram"]),
    .library(name: "Memlab", targets: ["Memlab"]),
    .plugin(name: "EmbedListings", targets: ["EmbedListings"]),
    .library(name: "LeakCheck", targets: ["LeakCheck"]),
    .library(name: "LeakCheckXCTest", targets: ["LeakCheckXCTest"]),
    .library(name: "LeakCheckAll", targets: ["LeakCheckAll"]),
    // What a program links in to be watched without preloading, as one with a static runtime must.
    .library(name: "MemlabAgent", targets: ["CLinkedAgent"]),
    // What `memlab watch` puts into a program.
    .library(name: "memlab-agent", type: .dynamic, targets: ["CMemlabAgent"]),
    .library(name: "memlab-probe", type: .dynamic, targets: ["MemlabProbe"]),
  ],
  targets: [
    // Not named as the program is: file systems that ignore case have one place for both modules.
    .executableTarget(
      name: "MemlabProgram",
      dependencies: ["MemlabCLI", "MemlabCourse", "MemlabPlatform", "TerminalText"],
      path: "Sources/memlab"),
    // What memlab itself is, besides a program like any other: the catalog and the course.
    .target(
      name: "MemlabCourse", dependencies: ["Exercises", "MemlabCLI", "MemlabKit", "Scenarios"]),
    // What a package with scenarios of its own imports.
    .target(
      name: "Memlab", dependencies: ["MemlabCLI", "MemlabKit", "MemlabPlatform", "TerminalText"]),
    .target(
      name: "MemlabCLI",
      dependencies: [
        "HeapGraph", "MemlabKit", "MemlabPlatform", "MemlabReports", "MemlabSite", "MemlabWatch",
        "TerminalText",
      ]),
    // What `watch`, `top`, `snapshot`, `diff` and `why` do with a running program.
    .target(
      name: "MemlabWatch",
      dependencies: ["HeapGraph", "MemlabPlatform", "MemlabReports", "TerminalText"]),
    // What is shown in a browser: the report's page, and the site of the course.
    .target(
      name: "MemlabSite",
      dependencies: [
        "HeapGraph", "MemlabKit", "MemlabPlatform", "MemlabReports", "PageFiles", "TerminalText",
      ]),
    // What was measured, in words and in the formats of build servers.
    .target(
      name: "MemlabReports", dependencies: ["HeapGraph", "MemlabKit", "TerminalText"]),
    // Text on a terminal: its width, its colours, tables, keys, and how it is written.
    .target(name: "TerminalText", dependencies: ["MemlabPlatform"]),
    // Style sheets, scripts and translations, in files of their own.
    .target(name: "PageFiles", exclude: ["Files"], plugins: ["EmbedFiles"]),
    .plugin(name: "EmbedFiles", capability: .buildTool()),
    // The documents' code is Swift 5 code: most of it does not compile in Swift 6 mode, which
    // the lessons tell. Everything around it is Swift 6.
    .target(
      name: "Scenarios",
      dependencies: ["Memlab", "MemlabPlatform", "Patterns"],
      // The catalog has what an outside package has.
      packageAccess: false,
      swiftSettings: [.swiftLanguageMode(.v5)],
      plugins: ["EmbedListings"]),
    // Puts the code under study into the binary.
    .plugin(name: "EmbedListings", capability: .buildTool()),
    // Apart from what it judges: a name that a learner declares means nothing here.
    .target(
      name: "ExerciseJudges",
      dependencies: ["MemlabKit", "Patterns"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(
      name: "Exercises",
      dependencies: ["ExerciseJudges", "MemlabKit", "Patterns"],
      exclude: ["Shipped"],
      // What unsafe code does with an object that is gone, no judge sees.
      swiftSettings: [
        .swiftLanguageMode(.v5), .strictMemorySafety(),
        .treatWarning("StrictMemorySafety", as: .error),
      ]),
    .target(
      name: "ExerciseSolutions",
      dependencies: ["Exercises", "MemlabKit", "Patterns"],
      swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "Patterns"),
    .target(name: "CVirtualClock"),
    .target(name: "CCrashNote"),
    .target(name: "CMainQueue"),
    // Copies the process, so that no scenario can spoil another.
    .target(name: "CChildProcess"),
    .target(
      name: "MemlabKit",
      dependencies: [
        "HeapGraph", "MemlabPlatform", "CChildProcess", "CCrashNote", "CMainQueue",
        "CVirtualClock",
      ]),
    .target(
      name: "LeakCheck", dependencies: ["HeapGraph", "MemlabPlatform", "CLeakCheckStart"]),
    // Apart from LeakCheck: a package that imports XCTest links it, and Foundation with it.
    .target(name: "LeakCheckXCTest", dependencies: ["LeakCheck"]),
    // Judges tests that say nothing of leaks, where the environment has LEAKCHECK=all.
    .target(
      name: "LeakCheckAll", dependencies: ["LeakCheck", "MemlabPlatform", "CLeakCheckAll"]),
    .target(name: "CLeakCheckAll"),
    // Begins to record before `main`, in whatever links LeakCheck and in nothing else.
    .target(name: "CLeakCheckStart", dependencies: ["CHeapRecorder"]),
    .target(
      name: "HeapGraph",
      dependencies: ["MemlabPlatform", "CHeapRecorder", "CProcessAccess", "RuntimeABI"],
      exclude: isPortable ? [] : ["Portable"], sources: isPortable ? sourcesWithoutHeap : nil),
    .target(name: "RuntimeABI", dependencies: ["MemlabPlatform", "CProcessAccess"]),
    // What differs between platforms.
    .target(name: "MemlabPlatform"),
    .target(name: "CHeapRecorder", dependencies: ["CProcessAccess"]),
    .target(name: "CProcessAccess"),
    // Preloaded into a program that is watched: it records, and copies the process.
    .target(name: "CMemlabAgent", dependencies: ["CHeapRecorder"]),
    // Agent and probe in the program's own file. Elsewhere than on Linux, nothing.
    .target(
      name: "CLinkedAgent",
      dependencies: isPortable
        ? [] : ["CHeapRecorder", "CMemlabAgent", "CProcessAccess", "MemlabProbe"]),
    // Opened by the agent: it reads the heap in the copy.
    .target(
      name: "MemlabProbe",
      dependencies: ["HeapGraph", "MemlabPlatform", "CHeapRecorder", "CProcessAccess"]),
    // A program that is watched.
    .executableTarget(name: "WatchedProgram", path: "Tests/Fixtures/WatchedProgram"),
    // The same with the agent linked in. `make linked` builds it from outside, with a static runtime.
    .executableTarget(
      name: "LinkedProgram", dependencies: ["CLinkedAgent"],
      path: "Tests/Fixtures/LinkedProgram/Sources/LinkedProgram", packageAccess: false),
    .target(
      name: "TestSupport", dependencies: ["HeapGraph", "MemlabKit", "RuntimeABI"],
      path: "Tests/TestSupport"),
    // Prints what memlab's executors do; a test process cannot replace its own.
    .executableTarget(
      name: "VirtualTime", dependencies: ["MemlabKit"], path: "Tests/Fixtures/VirtualTime"),
    .testTarget(
      name: "HeapGraphTests",
      dependencies: [
        "HeapGraph", "CHeapRecorder", "CProcessAccess", "RuntimeABI", "TestSupport",
      ]),
    // A memlab whose scenario deceives the ledger.
    .executableTarget(
      name: "Disagreement", dependencies: ["MemlabCLI", "MemlabKit", "TerminalText"],
      path: "Tests/Fixtures/Disagreement"),
    // A memlab whose exercises are all solved.
    .executableTarget(
      name: "SolvedExercises",
      dependencies: [
        "ExerciseSolutions", "MemlabCLI", "MemlabCourse", "MemlabPlatform", "TerminalText",
      ],
      path: "Tests/Fixtures/SolvedExercises"),
    // Puts wrong solutions of the exercises through their endings.
    .executableTarget(
      name: "WrongExercises",
      dependencies: [
        "Exercises", "MemlabCLI", "MemlabCourse", "MemlabKit", "Patterns", "TerminalText",
      ],
      path: "Tests/Fixtures/WrongExercises", swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "ExerciseTests",
      dependencies: [
        "Exercises", "ExerciseSolutions", "MemlabCLI", "MemlabKit", "MemlabCourse", "MemlabProgram",
        "SolvedExercises", "TerminalText", "TestSupport", "WrongExercises",
      ]),
    // A memlab whose scenarios have orders that can be counted by hand.
    .executableTarget(
      name: "Schedules", dependencies: ["MemlabCLI", "MemlabKit", "TerminalText"],
      path: "Tests/Fixtures/Schedules"),
    // Traces one leak many times over; a test process cannot have the virtual scheduler.
    .executableTarget(
      name: "TracedRuns", dependencies: ["MemlabKit", "HeapGraph"],
      path: "Tests/Fixtures/TracedRuns"),
    // A memlab whose scenarios are hard to report on, or never come to rest.
    .executableTarget(
      name: "HardCases",
      dependencies: ["MemlabCLI", "MemlabKit", "HeapGraph", "Scenarios", "TerminalText"],
      path: "Tests/Fixtures/HardCases"),
    .testTarget(
      name: "MemlabKitTests",
      dependencies: [
        "MemlabKit", "TestSupport", "VirtualTime", "Disagreement", "Schedules", "TracedRuns",
        "HardCases",
      ],
      exclude: ["Golden"]),
    .testTarget(
      name: "ScenarioTests",
      dependencies: ["Scenarios", "MemlabCLI", "MemlabCourse", "MemlabKit", "TestSupport"]),
    .testTarget(
      name: "LeakCheckTests",
      dependencies: [
        "LeakCheck", "LeakCheckAll", "LeakCheckXCTest", "HeapGraph", "TestSupport",
      ]),
    .testTarget(name: "PatternsTests", dependencies: ["Patterns"]),
    // The sample of a package with scenarios of its own. `make sample` builds it from outside.
    .executableTarget(
      name: "OurLab", dependencies: ["Memlab"], path: "Tests/Fixtures/OurLab/Sources/OurLab",
      packageAccess: false, plugins: ["EmbedListings"]),
    // What memlab itself costs: `make bench`.
    .executableTarget(
      name: "MemlabBench",
      dependencies: ["MemlabCLI", "MemlabCourse", "MemlabKit", "HeapGraph", "TerminalText"],
      path: "Tests/Bench"),
    // A memlab with those scenarios only that its first word names.
    .executableTarget(
      name: "ChosenScenarios",
      dependencies: ["MemlabCLI", "MemlabCourse", "MemlabKit", "TerminalText"],
      path: "Tests/Fixtures/ChosenScenarios"),
    .testTarget(
      name: "CLITests",
      dependencies: [
        "MemlabCLI", "MemlabCourse", "MemlabProgram", "Exercises", "Scenarios", "MemlabKit",
        "HeapGraph", "MemlabReports", "MemlabSite", "MemlabWatch", "RuntimeABI", "TerminalText",
        "TestSupport",
        "HardCases", "ChosenScenarios", "MemlabBench", "OurLab", "WatchedProgram",
        "LinkedProgram",
      ],
      exclude: ["Golden"]),
    // Of the script that tries mutants: which of them it chooses.
    .testTarget(name: "MutantTests", path: "Tests/Mutants", exclude: ["mutants.txt"]),
    .testTarget(
      name: "LessonTests",
      dependencies: [
        "MemlabCourse", "Scenarios", "MemlabKit", "OurLab", "TestSupport", "MemlabProgram",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

if isPortable {
  let needHeap = [
    "CMemlabAgent", "MemlabProbe", "HeapGraphTests", "LeakCheckTests",
  ]
  package.targets.removeAll { needHeap.contains($0.name) }
  package.products.removeAll { ["memlab-agent", "memlab-probe"].contains($0.name) }
  package.targets.append(
    .testTarget(
      name: "PortableTests",
      dependencies: [
        "HeapGraph", "LeakCheck", "MemlabKit", "MemlabProgram", "Scenarios", "TestSupport",
      ]))
  for target in package.targets {
    if target.name == "MemlabKit" { target.swiftSettings = [.define("MEMLAB_PORTABLE")] }
    guard target.name.hasPrefix("C"), target.type == .regular else { continue }
    target.cSettings = [.define("MEMLAB_PORTABLE")]
  }
}

for target in package.targets where ![.system, .binary, .plugin].contains(target.type) {
  var settings = target.swiftSettings ?? []
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0409-access-level-on-imports.md
  settings.append(.enableUpcomingFeature("InternalImportsByDefault"))
  // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0444-member-import-visibility.md
  settings.append(.enableUpcomingFeature("MemberImportVisibility"))
  // The documents, and learners, write `DataCacheRepo` where this feature wants `any DataCacheRepo`.
  let inOldStyle = [
    "Scenarios", "ExerciseJudges", "Exercises", "ExerciseSolutions", "WrongExercises",
  ]
  if !inOldStyle.contains(target.name) {
    // https://github.com/swiftlang/swift-evolution/blob/main/proposals/0335-existential-any.md
    settings.append(.enableUpcomingFeature("ExistentialAny"))
  }
  target.swiftSettings = settings
}

// Reading the heap takes several times as long in code that is not optimised: in memlab's tests, and in
// those of every package that uses LeakCheck. The code under study is as its configuration says.
if Context.environment["MEMLAB_UNOPTIMIZED"] != "1" {
  for target in package.targets {
    switch target.name {
    case "HeapGraph", "RuntimeABI":
      target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
    case "CHeapRecorder", "CProcessAccess":
      target.cSettings =
        (target.cSettings ?? []) + [.unsafeFlags(["-O2"], .when(configuration: .debug))]
    default: break
    }
  }
}
