import MemlabKit

/// The code under study.
enum CodePart {
  static func markup(for subject: HTMLPage.Subject) -> Markup {
    guard let code = subject.code else {
      return Markup("p", ["class": "missing"]) {
        "The code under study is not at hand here: run "
        Markup("code") { "memlab report" }
        " in a checkout of memlab to have it in the page."
      }
    }
    return Markup("figure", ["class": "code"]) {
      Markup("figcaption") { "The code under study" }
      Markup.scrolling("Code of \(subject.scenario.id)") {
        Markup("pre") { Markup("code") { SwiftColors.markup(of: code) } }
      }
    }
  }
}
