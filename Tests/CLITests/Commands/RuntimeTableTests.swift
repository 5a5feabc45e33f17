import MemlabHeapModel
import MemlabRuntimeABI
import TestSupport
import Testing

/// What memlab knows of the Swift runtime: every row has a probe, and each probe can fail.
@Suite("memlab doctor --verbose", .enabled(if: HeapRecording.isAvailable))
struct RuntimeTableTests {
  @Test("finds every row of the table as it was planted")
  func sound() throws {
    let run = try MemlabBinary.run(["doctor", "--verbose"]).exits(0)
    let lines = run.stdout.split(separator: "\n")
    // Where frames are blocks of their own, no slab is read.
    let unused = RuntimeColumn.isBefore63 ? [] : abi.rows(checkedBy: .slabs).map(\.name)
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
    let run = try MemlabBinary.run(["doctor"]).says("✓ runtime table ")
    #expect(!run.stdout.contains("task.size"))
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

  // Another value by the table's own rule: one more, another text, an empty list.
  @Test("notices each row that is wrong", arguments: Slow.all(checkedRows, orEach: 3))
  func mutant(of row: String) throws {
    var environment = ["MEMLAB_ABI_MUTANT": row]
    // Where frames are blocks of their own, no slab is read.
    if abi.rows(checkedBy: .slabs).contains(where: { $0.name == row }) {
      environment[RuntimeTable.slabSwitch] = "1"
    }
    let run = try MemlabBinary.run(["doctor", "--verbose"], environment: environment)
      .complainsOfNothing().says("\n✗ \(row) ")
    #expect(run.exitCode == 70, "\(run.stdout) \(run.stderr)")
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
