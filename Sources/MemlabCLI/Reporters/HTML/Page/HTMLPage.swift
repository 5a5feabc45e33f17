package import MemlabKit

/// One page about any number of scenarios, which needs nothing but itself: no network, no fonts, no
/// pictures, and no script for anything but comfort.
package struct HTMLPage: Sendable {
  /// A scenario and what its endings have measured.
  package struct Subject: Sendable {
    let scenario: Scenario
    let report: Report
    let code: String?

    /// A scenario to write about.
    ///
    /// - Parameters:
    ///   - scenario: the scenario.
    ///   - report: what its endings have measured.
    ///   - code: its code under study; nil where it is not at hand.
    package init(scenario: Scenario, report: Report, code: String?) {
      self.scenario = scenario
      self.report = report
      self.code = code
    }

    /// The trials with the endings that they ran.
    var trials: [(ending: Ending, trial: TrialReport)] {
      report.trials.compactMap { trial in
        scenario.endings.first { $0.name == trial.ending }.map { ($0, trial) }
      }
    }
  }

  private let subjects: [Subject]
  private let remark: String?

  /// A page.
  ///
  /// - Parameters:
  ///   - subjects: what it is about, in order.
  ///   - remark: what should be known about all of it, as a sentence.
  package init(_ subjects: [Subject], remark: String? = nil) {
    self.subjects = subjects
    self.remark = remark
  }

  /// Whether everything was measured as declared.
  package var isAsExpected: Bool { subjects.allSatisfy(\.report.asExpected) }

  /// The file; the same measurements always give the same bytes.
  package var text: String {
    let page = Markup("html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"]) {
      head
      Markup("body") { body }
    }
    return "<!DOCTYPE html>\n" + page.source
  }

  private var head: Markup {
    Markup("head") {
      Markup("meta", ["charset": "utf-8"])
      Markup("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
      Markup("meta", ["name": "color-scheme", "content": "light dark"])
      Markup("title") { "memlab report: \(PageHeader.count(of: subjects))" }
      Markup("style") { Markup(verbatim: PageStyle.all) }
    }
  }

  /// What is shown, without style and script.
  package var content: Markup {
    Markup([
      PageHeader.markup(for: subjects, remark: remark),
      Markup("main", ["id": "content"]) {
        if !isAsExpected { AlarmPart.markup(for: subjects) }
        MatrixPart.markup(for: documents)
        for document in documents { part(on: document) }
      },
      PageFooter.markup,
    ])
  }

  private var body: Markup {
    Markup([content, Markup("script") { Markup(verbatim: PageScript.text) }])
  }

  private var documents: [[Subject]] {
    subjects.reduce(into: [[Subject]]()) { groups, subject in
      let place = groups.firstIndex { $0[0].scenario.document == subject.scenario.document }
      if let place { groups[place].append(subject) } else { groups.append([subject]) }
    }
  }

  private func part(on document: [Subject]) -> Markup {
    Markup("section", ["class": "document"]) {
      Markup("h2") { document[0].scenario.document.title }
      for subject in document {
        ScenarioPart(subject, among: subjects, pageRemark: remark).markup
      }
    }
  }
}
