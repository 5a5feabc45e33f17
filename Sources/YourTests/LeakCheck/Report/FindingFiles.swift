import MemlabDumps
import MemlabHeapModel
import MemlabHeapReader
import MemlabPlatform
import Synchronization
import Testing

/// A file that belongs to a finding, for a reader who wants to see more than the text of a failure.
struct FindingFile: Sendable {
  /// Its name: what leaks, the fingerprint, and what kind of file it is.
  let name: String
  /// What is in it.
  let bytes: [UInt8]
}

/// Where the files of findings go: to the tests of Swift Testing as attachments, where somebody collects
/// those with `swift test --attachments-path`, and to the folder that `LEAKCHECK_ATTACHMENTS` names.
enum FindingFiles {
  // A run with hundreds of leaks would write as many heaps.
  private static let mostSnapshots = 3
  private static let largestSnapshot = 16 << 20
  private static let snapshots = Atomic(0)

  private static let place = setting("LEAKCHECK_ATTACHMENTS")

  /// The folder; nil where none is named.
  private static let folder = place == "off" ? nil : place

  private static let areAttached =
    place != "off"
    && CommandLine.arguments.contains { $0.hasPrefix("--") && $0.contains("attachments-path") }

  /// Whether anybody keeps them; making them takes time.
  static let areWanted = areAttached || folder != nil

  /// Hands files over.
  ///
  /// - Parameter location: where the check stands; nil outside of Swift Testing.
  static func keep(_ files: [FindingFile], of location: SourceLocation?) {
    for file in files {
      if areAttached, let location, Test.current != nil {
        Attachment.record(file.bytes, named: file.name, sourceLocation: location)
      }
      guard let folder else { continue }
      mkdir(folder, 0o700)
      let path = folder + "/" + file.name
      do { try WholeFile(path, isPrivate: true).write(bytes: .init(file.bytes)) } catch {
        LeakSummary.print("LeakCheck: \(error)\n")
      }
    }
  }

  /// The whole heap as it is now, for `memlab why` and `memlab diff`; nil where it cannot be read, is too
  /// large, or where a few have been kept.
  @HeapReadTurn static func snapshot() -> FindingFile? {
    #if MEMLAB_PORTABLE
      return nil
    #else
      let number = snapshots.add(1, ordering: .relaxed).newValue
      guard areWanted, number <= mostSnapshots else { return nil }
      let now = HeapMoment().serial
      guard var dump = try? HeapDump.ofThisProcess(copiedAt: now, upTo: .max) else { return nil }
      dump.facts.process = getpid()
      dump.facts.program = ProcessInfo.processInfo.processName
      dump.facts.time = Int64(time(nil))
      let bytes = Array(dump.bytes)
      return bytes.count > largestSnapshot
        ? nil : FindingFile(name: "heap-\(getpid())-\(number).memlab", bytes: bytes)
    #endif
  }
}

/// The picture of a finding: what holds what, from the root to what leaks.
struct FindingPicture {
  private let title: String
  private let boxes: [(arrow: String, name: String, place: String, cut: String?)]
  // The object at the end of a cycle is the one at its beginning.
  private let isCycle: Bool

  /// The picture of a leak.
  ///
  /// - Parameters:
  ///   - rows: what is below the root.
  ///   - isCycle: whether the last row is the root.
  init(title: String, root: String, _ rows: [ChainInWords.Row] = [], isCycle: Bool = false) {
    (self.title, self.isCycle) = (title, isCycle)
    boxes =
      [("", root.shown(), "", nil)]
      + rows.map {
        ($0.reference.shown(), $0.name.shown(), $0.location.map { "\($0)".shown() } ?? "", $0.cut)
      }
  }

  /// The picture for Graphviz.
  var graph: String {
    let last = boxes.count - 1
    let nodes = boxes.enumerated().map { "  n\($0) [label=\"\($1.name.inGraphviz)\"]" }
    let edges = boxes.enumerated().dropFirst().map { number, box in
      let end = box.cut == nil ? "" : ", color=red"
      return "  n\(number - 1) -> n\(isCycle && number == last ? 0 : number) "
        + "[label=\"\(box.arrow.inGraphviz)\"\(end)]"
    }
    return
      (["digraph leak {", "  node [shape=box]"] + nodes.dropLast(isCycle ? 1 : 0) + edges + ["}"])
      .joined(separator: "\n") + "\n"
  }

  /// The picture and the text of the failure as a page that needs no other file.
  func page(below text: String) -> String {
    func inHTML(_ text: String) -> String { text.inXML(isAttribute: false) }
    let last = boxes.count - 1
    let items = boxes.enumerated().map { number, box in
      let label = box.arrow + (box.cut.map { "   \($0)" } ?? "")
      let arrow =
        number > 0 ? "<p\(box.cut == nil ? "" : " class=\"cut\"")>↓ \(inHTML(label))</p>" : ""
      let name = isCycle && number == last ? "\(box.name), the same object as above" : box.name
      let place = box.place.isEmpty ? "" : "<small>\(inHTML(box.place))</small>"
      return "<li>\(arrow)<b>\(inHTML(name))</b>\(place)</li>"
    }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>\(inHTML(title)) · LeakCheck</title>
      <meta name="viewport" content="width=device-width"><style>
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
        color-scheme: light dark }
      ol { list-style: none; padding: 0 } li p { margin: .3rem 1rem; white-space: pre }
      li b { border: 1px solid; border-radius: .4rem; padding: .4rem .8rem; display: inline-block;
        font-weight: 600 }
      small { margin-left: .6rem } .cut { color: light-dark(#b00020, #ff8a80); font-weight: 600 }
      pre { overflow-x: auto }
      </style></head><body><h1>\(inHTML(title))</h1>
      <h2>Who holds it</h2><ol>
      \(items.joined(separator: "\n"))
      </ol><h2>What the test was told</h2><pre>\(inHTML(text))</pre></body></html>

      """
  }
}
