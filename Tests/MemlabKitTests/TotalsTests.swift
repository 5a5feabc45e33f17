import MemlabKit
import Testing

@Suite("What has changed between two moments") struct TotalsTests {
  @Test("is told in the order of objects, tasks and notes") func order() async {
    let ledger = Ledger()
    let before = ledger.totals
    await Ledger.$current.withValue(ledger) {
      await Task(probe: "worker") { ledger.note("consumer received") }.value
      _ = LedgerTests.Owner()
    }
    #expect(
      ledger.totals.changes(since: before)
        == ["+ Owner", "- Owner", "+ task worker", "- task worker", "consumer received 1"])
  }

  @Test("counts what happened several times, and leaves out what did not happen again")
  func counting() {
    let ledger = Ledger()
    ledger.note("consumer received")
    let before = ledger.totals
    Ledger.$current.withValue(ledger) { for _ in 0..<3 { _ = LedgerTests.Owner() } }
    #expect(ledger.totals.changes(since: before) == ["+ 3 Owner", "- 3 Owner"])
  }
}
