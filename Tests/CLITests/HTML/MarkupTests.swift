import MemlabCLI
import MemlabSite
import Testing

@Suite("Markup") struct MarkupTests {
  @Test(
    "shows a text as it stands, whatever it holds",
    arguments: [
      ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("\" onload='x'", "&quot; onload=&#39;x&#39;"),
      ("a && b &amp; c", "a &amp;&amp; b &amp;amp; c"), ("]]> --> <!--", "]]&gt; --&gt; &lt;!--"),
      ("bell \u{7} nul \u{0} end \u{FFFE}", "bell \u{FFFD} nul \u{FFFD} end \u{FFFD}"),
      ("one\ntwo\tthree\rfour", "one\ntwo\tthree&#13;four"),
      ("\u{202E}drawkcab", "\\u{202E}drawkcab"),
      ("<\u{301}b>", "&lt;\u{301}b&gt;"),
      ("순환참조 → 😀", "순환참조 → 😀"),
    ])
  func text(hostile: String, shown: String) {
    #expect(Markup(text: hostile).source == shown)
    #expect(Markup("b") { hostile }.source == "<b>\(shown)</b>")
    #expect(Markup("b", ["title": hostile]).source == "<b title=\"\(shown)\"></b>")
  }

  @Test("closes every element, and at once only those that HTML closes itself") func closing() {
    #expect(Markup("span").source == "<span></span>")
    #expect(Markup("td").source == "<td></td>\n")
    #expect(Markup("meta", ["charset": "utf-8"]).source == "<meta charset=\"utf-8\"/>\n")
  }

  @Test("leaves out attributes without a value") func attributes() {
    #expect(Markup("a", ["class": nil, "href": "#x"]) { "y" }.source == "<a href=\"#x\">y</a>")
  }
}
