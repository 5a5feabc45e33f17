import MemlabHeapModel
import MemlabKit
import MemlabWalk

/// One step of a film: what is done, the picture, the counts, and where tasks wait.
struct StepPart {
  /// The language of the page.
  let translator: Translator
  /// The run.
  let walk: Walk
  /// The pictures.
  let strip: FilmStrip
  /// The pictures in which the insides of a library are one box; nil where they are in none.
  let closed: FilmStrip?
  /// The steps in words.
  let texts: [String]
  private let listings: [Listing]

  /// The steps of a run, with its pictures.
  init(_ walk: Walk, _ strip: FilmStrip, closed: FilmStrip?, _ translator: Translator) {
    (self.walk, self.translator, self.strip, self.closed) = (walk, translator, strip, closed)
    texts = walk.texts
    listings = Listing.of(walk.scenario)
  }

  /// The section of a step.
  func markup(at place: Int) -> Markup {
    let (moment, anchor) = (walk.film.moments[place], "\(walk.ending.name)/\(place + 1)")
    let attributes: KeyValuePairs<String, String?> = [
      "class": "step", "id": anchor, "aria-labelledby": "\(anchor)/h",
      "data-marks": CodeMarks.text(of: moment, in: listings),
      "data-goal": moment.graph.flatMap { graph in
        Goal.of(walk.scenario.id, walk.ending.name, place + 1)?.script(in: graph)
      },
    ]
    return Markup("section", attributes) {
      Markup("h4", ["id": "\(anchor)/h"]) {
        Markup("span", ["class": "number"]) { "\(moment.step.index)" }
        " "
        Markup("span", ["class": "what"]) { translator.said(moment.step.text) }
        if let source = moment.step.place { Markup("small") { " \(source)" } }
      }
      ChangesPart.markup(of: moment.step, translator)
      if moment.cut?.needsRun == true {
        Markup("p", ["class": "needs-run"]) {
          translator("Reference counting alone does not explain this step: it needs a run.")
        }
      }
      Markup("div", ["class": "scene"]) {
        FramePart.markup(strip, closed: closed, at: place, translator)
        Markup("div", ["class": "facts"]) {
          counts(at: place)
          waiting(in: moment)
        }
      }
      Markup("details", ["class": "twin"]) {
        Markup("summary") { translator("This step in words") }
        Markup("pre", ["class": "scroll"]) { texts[place] }
      }
    }
  }

  /// The counts after a step, with those marked that have changed in it.
  @MarkupBuilder private func counts(at place: Int) -> Markup {
    let (objects, tasks) = CountRow.all(
      of: walk.film.report, walk.film.moments[place], since: walk.moment(before: place))
    table(["object", "created", "deinitialised", "alive"], objects)
    table(["task", "started", "finished", "live"], tasks)
  }

  private func table(_ heads: [String], _ rows: [CountRow]) -> Markup {
    guard !rows.isEmpty else { return Markup([]) }
    return Markup("table", ["class": "counts"]) {
      Markup.head { for head in heads { Markup("th", ["data-t": ""]) { translator.plain(head) } } }
      Markup("tbody") {
        for row in rows {
          Markup("tr", ["class": row.isSame ? nil : "changed"]) {
            Markup("th", ["scope": "row"]) { Markup("code") { row.name } }
            for (now, before) in zip(row.now, row.before) {
              Markup("td", ["class": now == before ? nil : "changed"]) { "\(now)" }
            }
          }
        }
      }
    }
  }

  /// The tasks that have not finished, and where each waits; nil where no task waits.
  private func waiting(in moment: Moment) -> Markup? {
    guard let tasks = moment.heap?.tasks, !tasks.isEmpty else { return nil }
    return Markup("ul", ["class": "waiting"]) {
      for task in tasks {
        Markup("li") {
          Markup("code") { "task \(task.name)" }
          " "
          if let place = task.suspendedIn {
            translator("waits in")
            " "
            Markup("code") { place }
          } else {
            translator("waits")
          }
          if let location = task.frames.compactMap(\.location).first {
            Markup("small") { " \(location)" }
          }
          if task.isCancelled {
            " "
            Markup("em") { translator("cancelled") }
          }
        }
      }
    }
  }
}

/// What a step created and released.
enum ChangesPart {
  /// The list.
  static func markup(of step: StepRecord, _ translator: Translator) -> Markup {
    Markup("ul", ["class": "changes"]) {
      for change in step.changes {
        Markup("li", ["class": change.kind]) {
          change.hasPrefix("nothing ") ? translator(change) : Markup(text: change)
        }
      }
    }
  }
}

/// The picture of one step, or why there is none.
enum FramePart {
  /// The picture with a library's insides closed, which the reader can open; as it is where there is
  /// nothing to close.
  static func markup(
    _ strip: FilmStrip, closed: FilmStrip?, at place: Int, _ translator: Translator
  ) -> Markup {
    let open = markup(strip, at: place, translator)
    guard let closed, closed.size(at: place) < strip.size(at: place) else { return open }
    return Markup("div") {
      Markup("details", ["class": "inside"]) {
        Markup("summary") { translator("Open the library, to see and to cut what is inside") }
        open
      }
      markup(closed, at: place, translator)
    }
  }

  /// The picture at a place of the strip.
  static func markup(_ strip: FilmStrip, at place: Int, _ translator: Translator) -> Markup {
    guard let parts = strip.frames[place], let series = strip.series else {
      return .missing(translator("The heap was not read here, so there is no picture."))
    }
    guard (parts.boxes + parts.arrows).contains(where: { $0 != .absent })
    else { return .missing(translator("Nothing that is watched is alive.")) }
    return Markup("figure", ["class": series.isWide ? "graph wide" : "graph"]) {
      Markup("div", ["class": "scroll"]) { series.markup(of: parts) }
      let drawn = strip.all.edges.indices.filter { parts.arrows[$0] != .absent }
      if drawn.contains(where: { strip.all.edges[$0].isDeclared }) {
        Markup("figcaption") {
          translator(
            "A dotted arrow is weak or unowned: declared, not measured. It does not count.")
        }
      }
    }
  }
}

/// The lines of code that a step runs, and at which tasks wait after it.
enum CodeMarks {
  /// The marks as the script reads them: `File.swift:12=forwarder`, parts of it separated by `|`.
  /// A line that runs has no task, the line at which the step begins a plus, and a task that has
  /// ended a minus before its name.
  ///
  /// - Parameters:
  ///   - moment: what was measured after the step.
  ///   - listings: the code under study; other lines are left out.
  static func text(of moment: Moment, in listings: [Listing]) -> String {
    let waits = (moment.heap?.tasks ?? []).flatMap { task in
      task.frames.compactMap(\.location).filter { place in listings.contains { $0.has(place) } }
        .map { "\($0)=\(task.name)" }
    }
    let runs = RunningLines(listings).lines(of: moment.step).map { line in
      "\(line.place)=" + (line.ended.map { "-\($0)" } ?? "")
    }
    let begins = moment.step.place.map { ["\($0.fileName):\($0.line)=+"] } ?? []
    return (begins + runs + waits).uniqued().joined(separator: "|")
  }
}
