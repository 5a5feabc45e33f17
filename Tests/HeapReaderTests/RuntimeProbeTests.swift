import MemlabHeapModel
import MemlabHeapReader
import MemlabRuntimeABI
import TestSupport
import Testing

extension HeapWitness {
  @Suite("The probes of the runtime table") struct RuntimeProbeTests {
    @Test("confirms every row of the table") func everything() throws {
      let findings = try HeapSelfCheck.findings(.everything)
      #expect(findings.refuted.map(\.name) == [])
      let unchecked = abi.rows.filter { findings.result(of: $0) == .unchecked }.map(\.name)
      #expect(Set(unchecked) == OtherSwift.uncheckedRows)
      #expect(!HeapRecording.isOn)
    }

    @Test("is not disturbed by what other threads allocate and free") func underLoad() throws {
      let hammer = Hammer(threads: 4)
      defer { hammer.stop() }
      for _ in 0..<50 {
        let findings = try HeapSelfCheck.findings()
        #expect(findings.refuted.map(\.name) == [])
      }
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
