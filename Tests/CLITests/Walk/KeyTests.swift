import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("Keys") struct KeyTests {
  @Test(
    "are known in every form that terminals send them in",
    arguments: [
      ("\n", [Key.forward]), ("\r", [.forward]), (" ", [.forward]), ("\u{1B}[C", [.forward]),
      ("\u{1B}OC", [.forward]), ("\u{1B}[6~", [.forward]), ("b", [.back]), ("\u{7F}", [.back]),
      ("\u{1B}[D", [.back]), ("\u{1B}[1;5D", [.back]), ("e", [.next]), ("q", [.quit]),
      ("\u{4}", [.quit]), ("x", []), ("\u{1B}", []), ("\u{1B}[", []), ("\u{1B}[3~", []), ("", []),
      ("\u{1B}[C\u{1B}[Cbq", [.forward, .forward, .back, .quit]), ("\u{1B}q", [.quit]),
    ])
  func read(text: String, keys: [Key]) {
    #expect(Key.read(Array(text.utf8)) == keys)
  }
}
