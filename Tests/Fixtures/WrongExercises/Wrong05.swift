import MemlabExercises
import MemlabKit
import MemlabPatterns

/// Wrong solutions of exercise 05.
enum Wrong05: String, Mistakes {
  case none, asShipped, alwaysNew, weakValues, sharesOne, clearsAll, keepsLast, strongTable
  case lazyTable, purgesOnUse, exits, traps, keepsViews, inTask, valueHoldsKey, deathClearsAll
  case deathClearsOldest, secondIsNew, evictsOldest, asksWhoElse, collects, purgesLater, sharesByTwo
  case twoTables, ownTable, boxesInTable

  static let all = solutions(
    of: ThumbnailsJudge<Thumbnails>.exercise,
    [
      "what it holds strongly lives as long": [.asShipped],
      "A thumbnail is made once and kept as long as its view lives.": [
        .alwaysNew, .deathClearsOldest,
      ],
      "A thumbnail is made once": [.weakValues, .secondIsNew, .evictsOldest, .twoTables],
      "No two views share a thumbnail.": [.sharesOne, .sharesByTwo],
      "sameAgain should be 5": [.clearsAll],
      "A thumbnail must go at once with its view": [
        .keepsLast, .lazyTable, .purgesOnUse, .asksWhoElse, .purgesLater,
      ],
      "held by": [.strongTable],
      "Swift says: no thumbnail": [.traps],
      "View are still alive at the end": [.keepsViews, .valueHoldsKey],
      "each task is started with Task(probe:)": [.inTask],
      "A thumbnail must go at once with its view, and only with its own.": [.deathClearsAll],
    ], right: [.ownTable, .boxesInTable])

  private struct WeakThumbnail { weak var value: Thumbnail? }
  private struct WeakView { weak var value: View? }

  nonisolated(unsafe) static var names: [Box<ObjectIdentifier>] = []

  /// Runs a closure at its end.
  final class AtEnd: @unchecked Sendable {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    deinit { body() }
  }

  final class Thumbnails: ThumbnailsUnderStudy {
    private var byName: [ObjectIdentifier: Thumbnail] = [:]
    private var weakly: [ObjectIdentifier: WeakThumbnail] = [:]
    private var owners: [ObjectIdentifier: WeakView] = [:]
    private var views: [View] = []
    private let one = now == .sharesOne ? Thumbnail() : nil
    private let table = WeakMapTable<Thumbnail>()
    private let other = WeakMapTable<Thumbnail>()
    private let pairs = WeakMapTable<(Thumbnail, View)>()
    private let hooks = WeakMapTable<AtEnd>()
    private let boxes = WeakMapTable<Box<Thumbnail>>()
    private var bySerial: [Int: Thumbnail] = [:]
    private var order: [ObjectIdentifier] = []
    private var count = 0

    private func remove(_ serial: Int) {
      switch now {
      case .deathClearsAll: bySerial = [:]
      case .deathClearsOldest: bySerial[bySerial.keys.min() ?? serial] = nil
      default: bySerial[serial] = nil
      }
    }

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
      case .valueHoldsKey: return pairs.value(forKey: view, default: (Thumbnail(), view)).0
      case .deathClearsAll, .deathClearsOldest, .ownTable:
        let serial = view.deathHook.serial
        if let thumbnail = bySerial[serial] { return thumbnail }
        let thumbnail = Thumbnail()
        bySerial[serial] = thumbnail
        let hook = AtEnd { [weak self] in self?.remove(serial) }
        hooks.setValue(hook, forKey: view)
        return thumbnail
      case .boxesInTable: return boxes.value(forKey: view, default: Box(Thumbnail())).value
      case .secondIsNew:
        let thumbnail = Thumbnail()
        count += 1
        if count < 6 { table.setValue(thumbnail, forKey: view) }
        return table.value(forKey: view, default: thumbnail)
      case .evictsOldest:
        order.removeAll { $0 == name }
        order.append(name)
        if order.count > 2 { byName[order.removeFirst()] = nil }
        return stored(name)
      case .asksWhoElse:
        for place in views.indices.reversed() {
          var held: View? = views.remove(at: place)
          if isKnownUniquelyReferenced(&held), let held { byName[ObjectIdentifier(held)] = nil }
          if let held { views.append(held) }
        }
        if !views.contains(where: { $0 === view }) { views.append(view) }
        return stored(name)
      case .collects: names.append(Box(name))
      case .purgesLater:
        let owner = WeakView(value: view)
        Task { [weak self] in
          await Task.yield()
          if owner.value == nil { self?.byName[name] = nil }
        }
        return stored(name)
      case .sharesByTwo:
        count += 1
        if count == 2, let first = order.first { byName[name] = byName[first] }
        order.append(name)
        return stored(name)
      case .twoTables:
        count += 1
        return (count % 2 == 0 ? table : other).value(forKey: view, default: Thumbnail())
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
