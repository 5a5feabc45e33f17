import Foundation
import MemlabPlatform
import MemlabTerminalText
import TestSupport
import Testing

@Suite("What would be obeyed is shown") struct QuotingTests {
  @Test(
    "in a name, and nothing else is changed",
    arguments: [
      ("a\u{1B}b", "a\\u{1B}b"), ("a\nb\tc", "a\\u{A}b\\u{9}c"), ("\u{85}\u{9B}", "\\u{85}\\u{9B}"),
      ("\u{202E}\u{2066}\u{200F}", "\\u{202E}\\u{2066}\\u{200F}"), ("\u{FFFE}", "\\u{FFFE}"),
      ("\u{FFFD}", "\\u{FFFD}"), ("\u{7F}", "\\u{7F}"), ("a##[error]b", "a##\\u{5B}error]b"),
      ("#[x] ## [y]", "#[x] ## [y]"), ("누수 → e\u{301} ✅ é ~\\u{1B}", "누수 → e\u{301} ✅ é ~\\u{1B}"),
    ])
  func names(text: String, shown: String) {
    #expect(text.shown() == shown)
    #expect(text.shown().shown() == shown)
  }

  @Test("and what is kept is not") func kept() {
    #expect("a\nb\tc\u{1B}".shown(keeping: "\n\t") == "a\nb\tc\\u{1B}")
    #expect("a\r\nb".shown(keeping: "\n\t") == "a\\u{D}\nb")
    #expect(StyledText("a\tb\nc").plain == "a\tb\\u{A}c")
  }

  @Test(
    "at the start of a line, where it is a workflow command",
    arguments: [
      ("::error::x\n", "\\u{3A}:error::x\n"), ("a\n \u{A0}::x", "a\n \u{A0}\\u{3A}:x"),
      ("A::b ::c\n:d\n", "A::b ::c\n:d\n"), ("::", "\\u{3A}:"), ("::\u{301}", "::\u{301}"),
    ])
  func commands(text: String, shown: String) { #expect(text.withoutCommands == shown) }

  @Test("by an output that gets text, and not by one that gets control sequences")
  func outputs() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let output = Output(descriptor: ends[1])
    try output.write("\u{1B}[1m\tx\n::y\n")
    try output.write(control: "\u{1B}[1m\n")
    try output.write([StyledText("::\u{1B}", .dim), StyledText("::\u{9B}")], color: false)
    close(ends[1])
    let written = String(decoding: SystemCalls.everything(from: ends[0]), as: UTF8.self)
    close(ends[0])
    #expect(written == "\\u{1B}[1m\tx\n\\u{3A}:y\n\u{1B}[1m\n\\u{3A}:\\u{1B}\n\\u{3A}:\\u{9B}\n")
  }

  @Test(
    "in a command to copy, by quotation marks",
    arguments: [("drop-2", "drop-2"), ("it's $(x)", "'it'\\''s $(x)'"), ("", "''")])
  func commandsToCopy(text: String, shown: String) { #expect(text.quotedForShell == shown) }

  @Test("in JSON, which gives it back") func json() throws {
    let texts = [Hostile.name, "##[error]", "\u{E0001}\u{10FFFF}", "\u{FFFD}\u{200D}"]
    let text = try VersionedJSON.text(of: ["texts": texts], schema: "x/1")
    #expect(Hostile.obeyed(in: text) == [])
    #expect(!text.contains("##["))
    let read = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(read?["texts"] as? [String] == texts)
  }

  @Test("in XML and in a workflow command") func documents() {
    let text = "<a&\"\u{FFFF}\u{202E}%\r\n:,\t"
    #expect(text.inXML(isAttribute: true) == "&lt;a&amp;&quot;\\u{FFFF}\\u{202E}%&#13;&#10;:,&#9;")
    #expect(text.inXML(isAttribute: false) == "&lt;a&amp;\"\\u{FFFF}\\u{202E}%&#13;\n:,\t")
    #expect(text.inWorkflow == "<a&\"\\u{FFFF}\\u{202E}%25%0D%0A:,\t")
    #expect(text.asWorkflowProperty == "<a&\"\\u{FFFF}\\u{202E}%25%0D%0A%3A%2C\t")
  }
}
