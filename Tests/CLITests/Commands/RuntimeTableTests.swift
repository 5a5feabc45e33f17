import MemlabHeapModel
import MemlabRuntimeABI
import TestSupport
import Testing

/// What memlab knows of the Swift runtime: every row has a probe, and each probe can fail.
@Suite("memlab doctor --verbose", .enabled(if: HeapRecording.isAvailable))
struct RuntimeTableTests {
  @Test("finds every row of the table as it was planted") func sound() throws {
    let run = try MemlabBinary.run(["doctor", "--verbose"]).exits(0)
    let lines = run.stdout.split(separator: "\n")
    let unused = abi.rows.filter { !$0.isUsed }.map(\.name)
    for row in abi.rows where !OtherSwift.uncheckedRows.contains(row.name) {
      let mark = unused.contains(row.name) ? "–" : "✓"
      #expect(lines.contains { $0.hasPrefix("\(mark) \(row.name) ") }, "\(row.name)")
    }
    #expect(
      lines.filter { $0.contains(".swift") || $0.contains(".h") }.allSatisfy { $0.count <= 80 })
    let count = abi.rows.count - unused.count
    #expect(run.stdout.contains("✓ runtime table  \(count) rows for "), "\(run.stdout)")
  }

  @Test("lists no rows where nobody asks for them") func short() throws {
    #expect(try !MemlabBinary.run(["doctor"]).says("✓ runtime table ").stdout.contains("task.size"))
  }

  @Test("says what frames lie in, and reads both", .disabled(if: RuntimeColumn.isBefore63))
  func frames() throws {
    for (value, text) in [("0", FrameMemory.blocks), ("1", .slabs)] {
      let environment = [RuntimeTable.slabSwitch: value]
      let run = try MemlabBinary.run(["doctor"], environment: environment)
      #expect(run.stdout.contains("frames         \(text.description)\n"), "\(run.stdout)")
      try MemlabBinary.run(["check", "--require-heap"], environment: environment).exits(0)
      #expect(try strongSelf(environment) == strongSelf([:]))
    }
    // Where nobody asks, frames are blocks.
    #expect(try MemlabBinary.run(["doctor"]).stdout.contains(FrameMemory.blocks.description))
  }

  private func strongSelf(_ environment: [String: String]) throws -> String {
    try MemlabBinary.run(["strong-self"], environment: environment).stdout
  }

  private static let checkedRows = abi.rows.map(\.name).filter {
    !OtherSwift.uncheckedRows.contains($0)
  }

  // The library knows two words of a task that nothing else uses.
  private static let hasRoom = abi.column == .x86Swift63
  // One for all.
  private static let listedTasks = Result { try Clang.listedTasks(in: Scratch.folder()) }

  // Another value by the table's own rule: one more, another text, an empty list.
  @Test("notices each row that is wrong", arguments: Slow.all(checkedRows, orEach: 6))
  func mutant(of row: String) throws {
    var environment = ["MEMLAB_ABI_MUTANT": row]
    switch abi.rows.first(where: { $0.name == row })?.presence {
    case .whereFramesAreInSlabs:
      // Before Swift 6.3, that is where they are, and the runtime does not know the switch.
      if !RuntimeColumn.isBefore63 { environment[RuntimeTable.slabSwitch] = "1" }
    case .whereTasksAreListed: environment["LD_PRELOAD"] = try Self.listedTasks.get()
    case .everywhere, nil: break
    }
    let run = try MemlabBinary.run(["doctor", "--verbose"], environment: environment)
      .complainsOfNothing().says("\n✗ \(row) ").exits(70)
    #expect(run.stdout.hasSuffix("\n\nmemlab CANNOT be trusted here\n"))
  }

  @Test("names each row that does not fit where it does not know the runtime")
  func otherRuntime() throws {
    let other = abi.column == .arm64 ? RuntimeColumn.x86Swift63 : .arm64
    try MemlabBinary.run(["doctor"], environment: ["MEMLAB_ABI_COLUMN": other.rawValue]).exits(70)
      .says(" of \(abi.rows.count) rows do not fit: task.size, ")
    let rows = try MemlabBinary.run(
      ["retain-cycle"],
      environment: ["MEMLAB_ABI_MUTANT": "task.version,task.size,table.keys,table.values"]
    ).exits(0).stdout
    #expect(rows.joinedLines.contains("the rows task.version, task.size, "), "\(rows)")
  }

  @Test(
    "reads the same where the runtime lists its tasks itself, and compares", .enabled(if: hasRoom))
  func listedTasks() throws {
    let preloaded = ["LD_PRELOAD": try Self.listedTasks.get()]
    let run = try MemlabBinary.run(["doctor", "--verbose"], environment: preloaded).exits(0)
    for row in abi.rows(checkedBy: .registry) { #expect(run.stdout.contains("\n✓ \(row.name) ")) }
    let command = ["check", "--require-heap", "--format", "json"]
    let listed = try MemlabBinary.run(command, environment: preloaded).exits(0).stdout
    #expect(try listed == MemlabBinary.run(command).stdout)
    guard Slow.isOn else { return }
    try MemlabBinary.run(command + ["--scheduler", "pool"], environment: preloaded).exits(0)
  }

  @Test(
    "does not believe lists that do not close or lack a task", .enabled(if: hasRoom),
    arguments: ["open", "short", "off"])
  func faultyLists(fault: String) throws {
    let environment = ["LD_PRELOAD": try Self.listedTasks.get(), "LISTED_TASKS": fault]
    let run = try MemlabBinary.run(["doctor", "--verbose"], environment: environment)
      .says(fault == "off" ? "\n– registry.walk " : "\n✗ registry.walk ")
    #expect(run.exitCode == (fault == "off" ? 0 : 70))
    let loss = "): its own lists of tasks are not compared with the heap and may be holders"
    #expect(run.stdout.joinedLines.contains(loss) == (fault != "off"), "\(run.stdout)")
  }

  @Test("refuses to report where the lists and the heap do not agree", .enabled(if: hasRoom))
  func lateTasks() throws {
    let environment = ["LD_PRELOAD": try Self.listedTasks.get(), "LISTED_TASKS": "late"]
    try MemlabBinary.run(["strong-self"], environment: environment).exits(70).complains(
      "of the tasks that the runtime lists, the heap lacks 0, and of the heap's, 1 are not listed")
  }

  @Test("reads the heap where the size of tasks is not told") func missingSymbols() throws {
    let environment = ["MEMLAB_ABI_MUTANT": "symbols.layoutVersion,symbols.taskSize"]
    try MemlabBinary.run(["doctor"], environment: environment).exits(70)
      .says("✓ heap ", "2 of \(abi.rows.count) rows do not fit")
    try MemlabBinary.run(["check", "--require-heap"], environment: environment).exits(0)
  }

  @Test("says what is lost, or that the heap cannot be read") func losses() throws {
    try MemlabBinary.run(["doctor", "--verbose"], environment: ["MEMLAB_ABI_MUTANT": "table.keys"])
      .says(
        "this runtime is not as expected (table.keys): references in dictionaries and sets are shown as memory",
        "✓ heap ")
    try MemlabBinary.run(
      ["doctor", "--verbose"], environment: ["MEMLAB_ABI_MUTANT": "task.status"]
    ).says("the heap cannot be read: the rows task.status, ", "✗ heap ")
  }
}

extension RuntimeRow {
  /// Whether memlab reads the heap by it here, where frames are blocks of their own since Swift 6.3.
  fileprivate var isUsed: Bool {
    switch presence {
    case .everywhere: true
    case .whereFramesAreInSlabs: RuntimeColumn.isBefore63
    case .whereTasksAreListed: false
    }
  }
}
