import Exercises
import MemlabKit
import Patterns

/// Wrong solutions of exercise 05.
enum Wrong05: String, Mistakes {
  case none, asShipped, alwaysNew, weakValues, sharesOne, clearsAll, keepsLast, strongTable,
    lazyTable
  case purgesOnUse, exits, traps, keepsViews, inTask

  nonisolated(unsafe) static var now = Wrong05.none

  static let all = solutions(
    of: .thumbnails(Thumbnails.self),
    [
      .asShipped: "what it holds strongly lives as long",
      .alwaysNew: "A thumbnail is made once and kept as long as its view lives.",
      .weakValues: "A thumbnail is made once",
      .sharesOne: "No two views share a thumbnail.",
      .clearsAll: "sameAgain should be 3",
      .keepsLast: "A thumbnail must go at once with its view",
      .strongTable: "held by",
      .lazyTable: "A thumbnail must go at once with its view",
      .purgesOnUse: "A thumbnail must go at once with its view",
      .exits: "Your code ended the process, with code 0",
      .traps: "Swift says: no thumbnail",
      .keepsViews: "View are still alive at the end",
      .inTask: "each task is started with Task(probe:)",
    ]
  ) { now = $0 }

  private struct WeakThumbnail { weak var value: Thumbnail? }
  private struct WeakView { weak var value: View? }

  final class Thumbnails: ThumbnailsUnderStudy {
    private var byName: [ObjectIdentifier: Thumbnail] = [:]
    private var weakly: [ObjectIdentifier: WeakThumbnail] = [:]
    private var owners: [ObjectIdentifier: WeakView] = [:]
    private var views: [View] = []
    private let one = now == .sharesOne ? Thumbnail() : nil
    private let table = WeakMapTable<Thumbnail>()
    private let lazyTable = LazyWeakMapTable<View, Thumbnail>()
    private let strongTable = StrongMapTable<View, Thumbnail>(holdsKeys: false)

    func thumbnail(for view: View) -> Thumbnail {
      let name = ObjectIdentifier(view)
      switch now {
      case .asShipped: return stored(name)
      case .alwaysNew: return Thumbnail()
      case .weakValues:
        if let thumbnail = weakly[name]?.value { return thumbnail }
        let thumbnail = Thumbnail()
        weakly[name] = WeakThumbnail(value: thumbnail)
        return thumbnail
      case .sharesOne: return one ?? Thumbnail()
      case .clearsAll:
        if byName.count > 1 { byName = [:] }
        return stored(name)
      case .keepsLast:
        byName = byName.filter { $0.key == name }
        return stored(name)
      case .strongTable: return strongTable.value(forKey: view, default: Thumbnail())
      case .lazyTable: return lazyTable.value(forKey: view, default: Thumbnail())
      case .purgesOnUse:
        for (key, owner) in owners where owner.value == nil { byName[key] = nil }
        owners[name] = WeakView(value: view)
        return stored(name)
      case .exits: Sabotage.leave()
      case .traps: fatalError("no thumbnail")
      case .keepsViews: views.append(view)
      case .inTask:
        Task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
      default: break
      }
      return table.value(forKey: view, default: Thumbnail())
    }

    private func stored(_ name: ObjectIdentifier) -> Thumbnail {
      if let thumbnail = byName[name] { return thumbnail }
      let thumbnail = Thumbnail()
      byName[name] = thumbnail
      return thumbnail
    }
  }
}
