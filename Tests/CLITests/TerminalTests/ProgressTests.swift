import MemlabCLI
import MemlabTerminalText
import TestSupport
import Testing

@Suite("Progress") struct ProgressTests {
  /// A clock that is set by hand.
  private final class HandClock { var now = Duration.zero }

  private static func written(
    on terminal: Terminal, _ body: (ProgressLine, HandClock) -> Void
  ) -> String {
    let (clock, page) = (HandClock(), Page())
    body(ProgressLine(on: page.writer(1), terminal: terminal, now: { clock.now }), clock)
    return page.output
  }

  private static func play(_ progress: ProgressLine, _ clock: HandClock) {
    for tenth in 0...12 {
      clock.now = .milliseconds(tenth * 100)
      progress.show("run \(tenth)")
      progress.show("never, too soon after the last")
    }
    progress.clear()
    progress.clear()
  }

  @Test("begins after a second, leaves a tenth between lines, and takes its line away")
  func terminal() {
    let text = Self.written(on: Terminal(isInteractive: true), Self.play)
    #expect(text == "\rrun 10\rrun 11\rrun 12\r      \r")
  }

  @Test("writes nothing where nobody watches") func pipe() {
    #expect(Self.written(on: Terminal(isInteractive: false), Self.play) == "")
  }

  @Test("writes nothing, not even spaces, for what is over within a second") func short() {
    let text = Self.written(on: Terminal(isInteractive: true)) { progress, clock in
      clock.now = .milliseconds(999)
      progress.show("nearly")
      progress.clear()
    }
    #expect(text == "")
  }

  @Test("covers a longer line with a shorter one, and never fills the last column") func widths() {
    let text = Self.written(on: Terminal(isInteractive: true, width: 20)) { progress, clock in
      for line in ["a line that is longer than twenty", "short"] {
        clock.now += .seconds(1)
        progress.show(line)
      }
      progress.clear()
    }
    let long = "a line that is lon…"
    #expect(long.count == 19)
    #expect(text == "\r\(long)\rshort" + String(repeating: " ", count: 14) + "\r     \r")
  }

  // On the pool, so many runs take minutes.
  @Test(
    "leaves --instances with an empty standard error where that is a file", .needsVirtualTime,
    .needsTime)
  func instances() throws {
    #if DEBUG
      let instances = "2800"
    #else
      let instances = "12000"
    #endif
    try longRun(["--instances", instances]).says("GROWS")
  }

  @Test(
    "leaves --schedules with an empty standard error where that is a file", .needsVirtualTime,
    .needsTime)
  func schedulesInAFile() throws {
    #if DEBUG
      let orders = "3800"
    #else
      let orders = "10000"
    #endif
    _ = try longRun(["--schedules", orders])
  }

  // In the first second, no progress would be shown on a terminal either.
  private func longRun(_ options: [String]) throws -> ProgramResult {
    let start = ContinuousClock.now
    let run = try MemlabBinary.run(["strong-self", "--ending", "cancel"] + options).exits(0)
      .complainsOfNothing()
    #expect(.now - start > .seconds(1), "\(options) is too little for this machine: raise it")
    return run
  }

  #if os(Linux)
    @Test(
      "tells on a terminal which of many orders --schedules has come to",
      .needsVirtualTime, arguments: [["run"], ["check"]])
    func schedules(command: [String]) throws {
      let words = ["strong-self", "--ending", "cancel", "--schedules", "1000000"]
      let terminal = try PseudoTerminal(command + words)
      // Written a second after the start, and long before the last order; then it is killed.
      let text = try terminal.wait(for: " of 1000000")
      #expect(text.contains("\rstrong-self, ending cancel: order "))
    }
  #endif
}
