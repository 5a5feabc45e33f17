import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("Tables") struct TableTests {
  @Test("two lists under their own headers share the columns, as in the report") func report() {
    var table = Table(columns: [
      .text(), .number(gutter: 3), .number(), .number(), .text(gutter: 3),
    ])
    table.add(["object", "created", "deinitialised", "alive"], style: .dim)
    table.add(["DataCacheUseCaseImpl", "1", "0", "1", StyledText("leaked", .leaked)])
    table.add(["task", "started", "finished", "live"], style: .dim)
    table.add(["consumer", "1", "1", "0"])
    table.add(["forwarder", "1", "0", "1", "never finishes"])
    #expect(
      table.lines(indent: 4).map(\.plain) == [
        "    object                 created  deinitialised  alive",
        "    DataCacheUseCaseImpl         1              0      1   leaked",
        "    task                   started       finished   live",
        "    consumer                     1              1      0",
        "    forwarder                    1              0      1   never finishes",
      ])
  }

  @Test("styles survive, and spaces are not coloured") func styles() {
    var table = Table(columns: [.text(), .number()])
    table.add(["a", StyledText("1", .leaked)])
    table.add(["누수", "20"], style: .dim)
    #expect(
      table.lines().map { $0.rendered(color: true) } == [
        "a      \u{1B}[31m1\u{1B}[0m", "\u{1B}[2m누수\u{1B}[0m  \u{1B}[2m20\u{1B}[0m",
      ])
  }

  @Test("empty cells leave no spaces at the end of a line") func emptyCells() {
    var table = Table(columns: [.text(), .text(), .number()])
    table.add(["a", "", ""])
    table.add(["", "b", "3"])
    table.add([])
    #expect(table.lines(indent: 1).map(\.plain) == [" a", "    b  3", ""])
  }

  @Test("a row with too many cells is a programming error") func tooManyCells() async {
    await #expect(processExitsWith: .failure) {
      var table = Table(columns: [.text()])
      table.add(["a"])
      table.add(["b", "c"])
    }
  }
}
