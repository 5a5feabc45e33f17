import MemlabKit
import TestSupport
import Testing

@Suite("The self-check") struct SelfCheckTests {
  private static func ending(_ verdict: Verdict) -> Ending {
    Ending(
      "plant", "it is planted", expects: .nothing, explanation: "-", judge: { _ in verdict },
      run: { _ in })
  }

  @Test("fails when a planted leak is not seen") func blind() {
    let check = SelfCheck(leak: Self.ending(.clean), clean: Self.ending(.clean))
    let error = #expect(throws: SelfCheckError.self) { try check.run(on: ImpatientScheduler()) }
    #expect(error?.description.contains("a planted leak was measured as clean") == true)
  }

  @Test("fails when a clean run is not silent") func crying() {
    let check = SelfCheck(leak: Self.ending(.leak), clean: Self.ending(.leak))
    let error = #expect(throws: SelfCheckError.self) { try check.run(on: ImpatientScheduler()) }
    #expect(error?.description.contains("a planted clean was measured as leak") == true)
  }
}
