import AsyncAlgorithms
import LeakCheck
import Testing

@Suite("Leaks that people reported, rebuilt: each fails, with who holds it")
struct PublicReportTests {
  // https://github.com/apple/swift-async-algorithms/issues/304
  @Test("the pages of a server, of which only the first is read") func pages() async {
    await knownLeak(
      "the producer waits for a receiver that has gone",
      naming: ["task \"pages\" has not finished\nsuspended in "]
    ) {
      await expectNoLeaks {
        for await page in Pages().all() where page == 1 { break }
      }
    }
  }

  // https://github.com/pnikolaidis/icemelt/issues/41
  @Test("a timeout around a continuation that cancelling does not resume") func timeout() async {
    await knownLeak(
      "the group waits for the child that has lost",
      naming: ["waits for task \"answer\", suspended in ", " → Mailbox"]
    ) {
      await expectNoLeaks {
        let mailbox = watch(Mailbox())
        Task(name: "request") { await mailbox.answer(within: .milliseconds(5)) }
      }
    }
  }

  // https://github.com/migueldeicaza/SwiftTerm/pull/551
  @Test("a method that is handed over as a handler") func methodReference() async {
    await knownLeak(
      "a method reference captures its owner", naming: ["handler → ", "captured → Terminal"]
    ) { await expectNoLeaks { watch(Terminal()).start() } }
  }

  // https://github.com/pusher/NWWebSocket/pull/38
  @Test("a work item of the object that it works for") func workItem() async {
    await knownLeak(
      "the work item holds its block, and the block the socket", naming: ["Socket is still alive"]
    ) { await expectNoLeaks { watch(Socket()).scheduleDisconnection() } }
  }
}
