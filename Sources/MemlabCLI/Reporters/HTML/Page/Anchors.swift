import MemlabKit

/// What links within the page point to.
enum Anchors {
  /// The matrix.
  static let matrix = "matrix"

  /// A scenario's section.
  static func scenario(_ id: String) -> String { id }

  /// An ending's section.
  static func ending(_ ending: String, of id: String) -> String { "\(id)/\(ending)" }
}

extension Markup {
  /// A link to a place in the page.
  static func link(
    to anchor: String, class style: String? = nil, @MarkupBuilder content: () -> Markup
  ) -> Markup {
    Markup("a", ["href": "#\(anchor)", "class": style], content: content)
  }

  /// What is read aloud and not shown.
  static func spoken(_ text: String) -> Markup {
    Markup("span", ["class": "spoken"]) { text }
  }

  /// What is shown and not read aloud.
  static func silent(_ text: String) -> Markup {
    Markup("span", ["aria-hidden": "true"]) { text }
  }

  /// A box that scrolls sideways when its content is too wide for the page.
  static func scrolling(_ label: String, @MarkupBuilder content: () -> Markup) -> Markup {
    Markup("div", ["class": "scroll", "role": "group", "aria-label": label], content: content)
  }
}
