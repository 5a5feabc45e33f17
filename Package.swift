// swift-tools-version: 6.2

import PackageDescription

// The portable configuration, which a Mac compiles and CI tests on Linux: all but the reading of the heap.
#if os(macOS)
  let (isPortable, processors) = (true, Int.max)
#else
  import Glibc
  let isPortable = Context.environment["MEMLAB_PORTABLE"] == "1"
  let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
#endif

// A line for each room: its folder, what is special about it, and the rooms that it imports. Those stand
// below it. Sources/Program/CLI becomes the module MemlabCLI.
//   swift5    as the documents' code and that of learners is: most of it does not compile in Swift 6 mode,
//             which the lessons tell; and they write `DataCacheRepo` for `any DataCacheRepo`
//   strict    unsafe code is an error: what it does with an object that is gone, no judge sees
//   outside   has what other packages have, and no more
//   program   is an executable; =Name becomes the module of this name
//   +Plugin   has what the plugin makes of its files: the code that it shows, its files, solutions
//   -Folder   without this part of the folder
let rooms = """
  // Program: what somebody types and reads. Main has what a first scenario needs, FullMain the rest, too.
  Program/FullMain program: Course CLI TerminalText Platform
  Program/Main program: Scenarios CLI TerminalText Witness Platform
  // Course: what is taught. The judges are apart: a name that a learner declares means nothing there.
  Course/Course +MemlabEmbed: Exercises Scenarios Full CLI Witness Kit
  Course/ExerciseSolutions swift5 +MemlabEmbed -Diffs: Exercises Kit
  Course/Exercises swift5 strict -Shipped: ExerciseJudges Patterns Kit
  Course/ExerciseJudges swift5 +MemlabEmbed -Files: Patterns Kit
  Course/Scenarios swift5 outside: Patterns Kit Platform
  Course/Patterns:
  // Program, below the course. Memlab is for packages with scenarios of their own.
  Program/Memlab: Full CLI Witness Kit TerminalText Platform
  Program/Full +MemlabEmbed -Files: CLI Watch Site Walk Dumps Reports TerminalText Kit HeapModel Platform
  Program/CLI +MemlabEmbed -Files: Reports TerminalText Kit HeapModel Platform
  Program/Watch: Reports TerminalText HeapReader Dumps HeapModel RuntimeABI Platform
  Program/Site: PageFiles Walk Reports TerminalText Kit HeapModel Platform
  Program/Walk: Reports TerminalText Kit HeapModel
  Program/PageFiles +MemlabEmbed -Files:
  Program/Reports: TerminalText Kit HeapModel
  Program/TerminalText: Platform
  // YourTests: LeakCheck. What imports XCTest links it, and Foundation with it: so that part is apart.
  YourTests/LeakCheckAll: LeakCheck CMemlabTraits Platform
  YourTests/LeakCheckXCTest: LeakCheck
  YourTests/LeakCheck: CMemlabStart Abandonment HeapReader Dumps HeapModel Platform
  YourTests/Abandonment: HeapReader HeapModel RuntimeABI CMemlabProcess
  YourTests/CMemlabTraits: CMemlabProcess
  YourTests/CMemlabStart: CMemlabRecorder
  // Running: what is in a program that is watched, preloaded or linked.
  Running/CMemlabLinkedAgent: CMemlabAgent Probe CMemlabRecorder CMemlabProcess
  Running/Probe: HeapReader Dumps HeapModel CMemlabRecorder CMemlabProcess Platform
  Running/CMemlabAgent: CMemlabRecorder
  // Lab: one trial, two witnesses and the report.
  Lab/Witness: Kit HeapReader HeapModel
  Lab/Kit: CMemlabLab HeapModel Platform
  Lab/CMemlabLab:
  // Heap: what memory says. HeapModel is values, HeapScan the loops, Platform what differs elsewhere.
  Heap/Dumps: HeapModel Platform
  Heap/HeapReader: HeapScan HeapModel RuntimeABI CMemlabRecorder CMemlabProcess Platform
  Heap/HeapScan: HeapModel RuntimeABI CMemlabRecorder CMemlabProcess
  Heap/HeapModel: RuntimeABI CMemlabRecorder Platform
  Heap/RuntimeABI: CMemlabProcess Platform
  Heap/CMemlabRecorder: CMemlabProcess
  Heap/CMemlabProcess:
  Heap/Platform:
  """

// The tests, and the programs that they run. 'make sample' and 'make linked' build two from outside, too.
let tests = """
  CLITests -Golden: CLI Course Witness Kit TerminalText Full Main FullMain Exercises Scenarios Platform \
  HeapModel Reports Site Walk Watch Dumps RuntimeABI TestSupport HardCases ChosenScenarios MemlabBench \
  OurLab WatchedProgram LinkedProgram
  ExerciseTests: CLI Course Kit TerminalText Full Exercises ExerciseSolutions Main FullMain \
  SolvedExercises TestSupport WrongExercises
  HeapReaderTests: Abandonment HeapReader HeapScan HeapModel Dumps Kit CMemlabRecorder \
  CMemlabProcess RuntimeABI Platform TestSupport
  LeakCheckTests: LeakCheck LeakCheckAll LeakCheckXCTest HeapModel RuntimeABI TestSupport
  LessonTests: CLI Course Scenarios Kit OurLab TestSupport Main FullMain
  MemlabKitTests -Golden: Witness Kit TestSupport VirtualTime Disagreement Schedules TracedRuns HardCases
  Mutants =MutantTests -mutants.txt:
  PatternsTests: Patterns
  PortableTests: HeapReader HeapModel LeakCheck Main Platform TestSupport
  ScenarioTests: Scenarios CLI Course Kit
  TestSupport: Kit HeapReader HeapModel RuntimeABI
  // What memlab itself costs: 'make bench'.
  Bench =MemlabBench program: CLI Course Kit TerminalText HeapReader HeapModel
  Fixtures/WatchedProgram program:
  Fixtures/LinkedProgram/Sources/LinkedProgram program outside: CMemlabLinkedAgent
  // Programs like memlab: of another package; with those scenarios only that the first word names; with
  // one that deceives the ledger; with some that are hard to report on; with orders that can be counted.
  Fixtures/OurLab/Sources/OurLab program outside +MemlabEmbed: Memlab
  Fixtures/ChosenScenarios program: CLI Course Kit TerminalText
  Fixtures/Disagreement program: Witness Full CLI Kit TerminalText
  Fixtures/HardCases program: Witness Full Scenarios CLI Kit Platform HeapModel TerminalText
  Fixtures/Schedules program: Witness CLI Kit TerminalText
  Fixtures/SolvedExercises program: ExerciseSolutions CLI Course Platform TerminalText
  Fixtures/WrongExercises program swift5: Full CLI Course Witness Kit TerminalText Exercises Patterns
  // A test process cannot have the virtual scheduler: what its executors do, and one leak many times.
  Fixtures/VirtualTime program: Witness Kit
  Fixtures/TracedRuns program: Witness Kit HeapModel
  """

// Loops over all blocks take several times as long in code that is not optimised: in memlab's tests, and
// in those of every package that uses LeakCheck. The code under study is as its configuration says.
let isFast = Context.environment["MEMLAB_UNOPTIMIZED"] != "1"
let optimized = isFast ? ["HeapScan", "CMemlabRecorder", "CMemlabProcess"] : []
// A room that is compiled whole takes a fifth less than its files, which are sooner where they are compiled side
// by side, as with more processors and below HeapScan; and after a small change: MEMLAB_WHOLE=0.
let byRoom = Context.environment["MEMLAB_WHOLE"].map { $0 == "1" } ?? (processors <= 2)
let whole = byRoom ? ["Program/", "Course/", "Lab/", "Heap/HeapReader", "Heap/HeapScan"] : []
let wholly = ["-disable-batch-mode", "-wmo", "-no-emit-module-separately-wmo", "-num-threads", "2"]

// What the configuration lacks. In the portable one, HeapUnread stands for HeapReader.
let left =
  isPortable
  ? ["Abandonment", "HeapScan", "CMemlabAgent", "Probe", "HeapReaderTests", "LeakCheckTests"]
  : ["PortableTests"]

/// The name of a room's module. None is one that another package may have.
@MainActor func module(_ room: String) -> String {
  let own = ["Memlab", "CMemlab", "LeakCheck"].contains(where: room.hasPrefix)
  return own || !rooms.contains("/\(room)") ? room : "Memlab" + room
}

/// The target of a line of a folder's table; nil for a comment, or what the configuration lacks.
@MainActor func target(_ line: Substring, in top: String) -> Target? {
  let parts = line.split(separator: ":", omittingEmptySubsequences: false)
  guard parts.count == 2, !line.hasPrefix("//") else { return nil }
  let words = parts[0].split(separator: " ").map(String.init)
  func named(_ sign: String) -> [String] {
    words.filter { $0.hasPrefix(sign) }.map { String($0.dropFirst()) }
  }
  let room = named("=").first ?? String(words[0].split(separator: "/").last ?? "")
  guard !left.contains(room) else { return nil }
  let imports = parts[1].split(separator: " ").map(String.init).filter { !left.contains($0) }
  let folder = isPortable && room == "HeapReader" ? "Heap/HeapUnread" : words[0]
  let (name, path, exclude) = (module(room), "\(top)/\(folder)", named("-"))
  let dependencies = imports.map { Target.Dependency(stringLiteral: module($0)) }
  let plugins = named("+").map { Target.PluginUsage.plugin(name: $0) }
  let (isOptimized, isWhole) = (optimized.contains(room), whole.contains(where: words[0].hasPrefix))
  if room.hasPrefix("CMemlab") {
    let fast: [CSetting] = isOptimized ? [.unsafeFlags(["-O2"], .when(configuration: .debug))] : []
    let settings = isPortable ? [.define("MEMLAB_PORTABLE")] : fast
    return .target(name: name, dependencies: dependencies, path: path, cSettings: settings)
  }
  // SE-0409, SE-0444, SE-0418 and SE-0335: https://github.com/swiftlang/swift-evolution/tree/main/proposals
  var settings: [SwiftSetting] = [
    "InternalImportsByDefault", "MemberImportVisibility",
    words.contains("swift5") ? "InferSendableFromCaptures" : "ExistentialAny",
  ].map { .enableUpcomingFeature($0) }
  if words.contains("swift5") { settings.append(.swiftLanguageMode(.v5)) }
  if words.contains("strict") {
    settings += [.strictMemorySafety(), .treatWarning("StrictMemorySafety", as: .error)]
  }
  // What editors look up in the toolchain's modules is indexed there. With a level of its own, a room would
  // import the C library anew: that takes 2 s.
  let level = isOptimized ? ["-O", "-Xcc", "-O0"] : []
  let debug = ["-index-ignore-system-modules"] + level + (isWhole ? wholly : [])
  // Where code is, is asked of memlab, and not what its variables are: a third of the program's size.
  let release = top == "Sources" ? ["-Xfrontend", "-gline-tables-only"] : []
  settings.append(.unsafeFlags(debug, .when(configuration: .debug)))
  settings.append(.unsafeFlags(release, .when(configuration: .release)))
  if isPortable { settings.append(.define("MEMLAB_PORTABLE")) }
  if words.contains("program") {
    return .executableTarget(
      name: name, dependencies: dependencies, path: path, exclude: exclude,
      packageAccess: !words.contains("outside"), swiftSettings: settings, plugins: plugins)
  }
  if name.hasSuffix("Tests") {
    return .testTarget(
      name: name, dependencies: dependencies, path: path, exclude: exclude, swiftSettings: settings)
  }
  return .target(
    name: name, dependencies: dependencies, path: path, exclude: exclude,
    packageAccess: !words.contains("outside"), swiftSettings: settings, plugins: plugins)
}

let leaks = Target.PluginCapability.command(
  intent: .custom(verb: "leaks", description: "Tell what the tests leave behind"))
let package = Package(
  name: "memlab", platforms: [.macOS(.v15)],  // The first with Mutex.
  products: [
    .executable(name: "memlab", targets: ["MemlabMain"]),
    .executable(name: "memlab-full", targets: ["MemlabFullMain"]),
    .library(name: "Memlab", targets: ["Memlab"]),
    .plugin(name: "EmbedListings", targets: ["MemlabEmbed"]),
    .library(name: "LeakCheck", targets: ["LeakCheck"]),
    .library(name: "LeakCheckXCTest", targets: ["LeakCheckXCTest"]),
    .library(name: "LeakCheckAll", targets: ["LeakCheckAll"]),
    .plugin(name: "LeakCheckCommand", targets: ["LeakCheckCommand"]),
    // What a program links in to be watched without preloading, as one with a static runtime must.
    .library(name: "MemlabAgent", targets: ["CMemlabLinkedAgent"]),
    // What `memlab watch` puts into a program, where it can.
    .library(name: "memlab-agent", type: .dynamic, targets: ["CMemlabAgent"]),
    .library(name: "memlab-probe", type: .dynamic, targets: ["MemlabProbe"]),
  ],
  targets: rooms.split(separator: "\n").compactMap { target($0, in: "Sources") }
    + tests.split(separator: "\n").compactMap { target($0, in: "Tests") }
    + [
      .plugin(name: "MemlabEmbed", capability: .buildTool()),
      .plugin(name: "LeakCheckCommand", capability: leaks),
    ]
)
if isPortable { package.products.removeAll { ["memlab-agent", "memlab-probe"].contains($0.name) } }
// LLD links memlab in 0.6 s, and gold in 4 s. It comes with swift.org's toolchains, and with Debian's.
for target in package.targets where [.executable, .test].contains(target.type) {
  target.linkerSettings = [.unsafeFlags(["-use-ld=lld"], .when(platforms: [.linux]))]
}
