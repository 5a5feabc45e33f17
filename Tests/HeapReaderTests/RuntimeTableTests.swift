import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import MemlabRuntimeABI
import TestSupport
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

  private let notGroups: Set = ["column", "mutants", "namelessRows"]

  @Test("has a source and a value in each row") func sources() {
    for row in abi.rows {
      #expect(row.source.contains("/"), "\(row.name)")
      #expect(!row.value.isEmpty, "\(row.name)")
    }
  }

  @Test("names rows for every probe", arguments: RuntimeProbe.allCases)
  func probes(probe: RuntimeProbe) { #expect(!abi.rows(checkedBy: probe).isEmpty) }

  @Test("has a wrong value for every row") func mutants() {
    #expect(UInt(208).mutant == 209)
    #expect("_SetStorage".mutant != "_SetStorage")
    #expect(["Si"].mutant.isEmpty)
    #expect(abi.mutants.isEmpty)
  }

  @Test("knows the storage of a stream by what it is called, and will be") func streams() {
    for name in ["Swift.AsyncStream<A<Int>>._Storage", "Swift._AsyncStreamStorage<Int, Never>"] {
      #expect(abi.streams.isStorage(name))
    }
    #expect(!abi.streams.isStorage("App.AsyncStream<Int>._Storage"))
    #expect(!abi.streams.isStorage("Swift.AsyncStream<Int>._Context"))
  }

  @Test("has the size of tasks that the runtime exports") func column() {
    #expect(RuntimeColumn.allCases.contains(abi.column))
    #expect(abi.rows.first { $0.name == "task.size" }?.value == "\(abi.task.size)")
  }
}

extension HeapWitness {
  @Suite("The probes of the runtime table") struct RuntimeProbeTests {
    @Test("confirms every row of the table") func everything() throws {
      HeapRecording.stop()
      let findings = try HeapSelfCheck.findings(isWhole: true)
      #expect(findings.refuted.map(\.name) == [])
      let unchecked = abi.rows.filter { findings.agrees($0) == nil }
      #expect(Set(unchecked.filter(findings.uses).map(\.name)) == OtherSwift.uncheckedRows)
      #expect(unchecked.allSatisfy { findings.uses($0) || $0.presence != .everywhere })
      #expect(findings.frames == (RuntimeColumn.isBefore63 ? .slabs : .blocks))
      #expect(!HeapRecording.isOn)
    }

    @Test("is not disturbed by what other threads allocate and free") func underLoad() throws {
      let hammer = Hammer(threads: 4)
      defer { hammer.stop() }
      for _ in 0..<50 {
        #expect(try HeapSelfCheck.findings().refuted.map(\.name) == [])
      }
    }

    @Test("says where somebody has asked for blocks in vain") func ignoredSwitch() throws {
      setenv(RuntimeTable.slabSwitch, "0", 1)
      defer { unsetenv(RuntimeTable.slabSwitch) }
      var findings = ProbeFindings()
      findings.frames = .slabs
      #expect(findings.losses == ["\(RuntimeTable.slabSwitch)=0 has no effect on this runtime"])
      findings.frames = .blocks
      #expect(findings.losses.isEmpty)
    }

    @Test("what only one of two checks misreads refutes no row") func coincidence() {
      var first = ProbeFindings()
      first.noteMisread(.frames, "frame is stale")
      #expect(
        first.obstacle
          == "frames: not read back as planted (frame is stale), see memlab doctor --verbose")
      var again = first
      again.keepMisread(alsoIn: first)
      #expect(again.failedProbes == [.frames])
      again.keepMisread(alsoIn: ProbeFindings())
      #expect(again.failedProbes == [])
      #expect(again.obstacle == nil)
    }

    @Test("leaves nothing alive") func clean() throws {
      try HeapSelfCheck.run()
      let snapshot = try recorded {
        try HeapSelfCheck.run()
        return try HeapSnapshot.take()
      }
      #expect(snapshot.liveInstances.keys.filter { $0.contains("MemlabHeapReader.") } == [])
      #expect(snapshot.tasks.filter { $0.name == "memlab planted" && !$0.isFinished } == [])
    }
  }
}
