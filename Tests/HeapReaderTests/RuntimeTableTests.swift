import MemlabRuntimeABI
import Testing

@Suite("The table of the runtime") struct RuntimeTableTests {
  @Test("has each row once, under the name of its property") func names() {
    let groups = Mirror(reflecting: abi).children.filter { !notGroups.contains($0.label ?? "") }
    let properties = groups.flatMap { group in
      Mirror(reflecting: group.value).children.map { "\(group.label ?? "").\($0.label ?? "")" }
    }
    #expect(properties == abi.rows.map(\.name))
    #expect(Set(properties).count == properties.count)
  }

  private let notGroups: Set = ["column", "mutants", "rows"]

  @Test("has a source and a value in each row") func sources() {
    for row in abi.rows {
      #expect(row.source.contains("/"), "\(row.name)")
      #expect(!row.value.isEmpty, "\(row.name)")
    }
  }

  @Test("names rows for every probe", arguments: RuntimeProbe.allCases)
  func probes(probe: RuntimeProbe) {
    #expect(!abi.rows(checkedBy: probe).isEmpty)
  }

  @Test("has a wrong value for every row") func mutants() {
    #expect(UInt(208).mutant == 209)
    #expect("_SetStorage".mutant != "_SetStorage")
    #expect(["Si"].mutant.isEmpty)
    #expect(abi.mutants.isEmpty)
  }

  @Test("has the size of tasks that the runtime exports") func column() {
    #expect(RuntimeColumn.allCases.contains(abi.column))
    #expect(abi.rows.first { $0.name == "task.size" }?.value == "\(abi.task.size)")
  }
}
