import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 07.
enum Wrong07: String, Mistakes {
  case none, asShipped, unowned, clearsInFinish, clearsInDeinit, tellsNobody, doneAtOnce, noDelegate
  case exits, traps, noProbe, capturesSelf, keepsAll, lastScreen, unsafelyUnowned, unmanaged
  case listens, strongClosure, inTask, doneWhenAsked, waitsAMinute, retainsOnLoad, setsFigure, proxy
  case unownedCleared

  nonisolated(unsafe) static var everything: [Screen] = []
  nonisolated(unsafe) static weak var last: Screen?
  nonisolated(unsafe) static var listeners: [(Download) -> Void] = []

  /// Holds its screen weakly, and is held strongly.
  final class Proxy {
    weak var screen: Screen?
    init(_ screen: Screen) { self.screen = screen }
  }

  static let all = solutions(
    of: DownloadJudge<Screen>.exercise,
    [
      "Which property of the download leads back to it?": [.asShipped],
      "the reference is weak": [.unowned],
      "To keep the download must not mean to keep the screen.": [.clearsInFinish, .capturesSelf],
      "Screen is still alive at the end": [.clearsInDeinit, .retainsOnLoad],
      "The download must still tell its delegate.": [
        .tellsNobody, .noDelegate, .lastScreen, .waitsAMinute, .setsFigure,
      ],
      "The screen is done when its download says so, and not before.": [.doneAtOnce],
      "Swift says: nobody waits": [.traps],
      "No Download was counted": [.noProbe],
      "An unowned reference to an object that is gone ends like this": [.unmanaged],
      "although no object with a probe is left": [.listens],
      "Screen is still alive at the end, held by": [.strongClosure],
      "each task is started with Task(probe:)": [.inTask],
      "heard should be 2": [.doneWhenAsked],
    ], right: [.proxy, .unownedCleared])

  final class Download {
    weak var delegate: Screen?
    unowned var unownedDelegate: Screen?
    var strongDelegate: Screen?
    var unsafeDelegate = Unsafely<Screen>()
    var unmanaged: Unmanaged<Screen>?
    var onDone: (() -> Void)?
    var proxy: Proxy?
    private let probe = makeProbe(of: Download.self)

    func finish() {
      switch now {
      case .exits: Sabotage.leave()
      case .tellsNobody: return
      case .traps where delegate == nil: fatalError("nobody waits")
      case .lastScreen: last?.downloadDidFinish(self)
      case .unsafelyUnowned: unsafeDelegate.object?.downloadDidFinish(self)
      case .unmanaged:
        // Optimised code would not retain it otherwise.
        if let screen = unmanaged?.takeUnretainedValue() { everything.append(screen) }
        everything.popLast()?.downloadDidFinish(self)
      case .listens: for listener in listeners { listener(self) }
      case .strongClosure: onDone?()
      case .proxy: proxy?.screen?.downloadDidFinish(self)
      case .unowned, .unownedCleared: unownedDelegate?.downloadDidFinish(self)
      default: (delegate ?? strongDelegate)?.downloadDidFinish(self)
      }
      if now == .clearsInFinish { strongDelegate = nil }
    }
  }

  final class Screen: ScreenUnderStudy {
    private let download = Download()
    private var hasHeard = false
    private var asked = 0
    private(set) var isDone: Bool {
      get {
        asked += 1
        return now == .doneWhenAsked ? asked > 1 : now == .setsFigure ? false : hasHeard
      }
      set { hasHeard = newValue }
    }
    private let probe = Probe(Screen.self)

    init() { if now == .keepsAll { everything.append(self) } }

    func load() -> () -> Void {
      switch now {
      case .asShipped, .clearsInFinish, .clearsInDeinit: download.strongDelegate = self
      case .unowned, .unownedCleared: download.unownedDelegate = self
      case .lastScreen: last = self
      case .unsafelyUnowned: download.unsafeDelegate = Unsafely(self)
      case .unmanaged: download.unmanaged = .passUnretained(self)
      case .listens:
        listeners.append { [weak self] download in
          if download === self?.download { self?.isDone = true }
        }
      case .strongClosure: download.onDone = { self.isDone = true }
      case .proxy: download.proxy = Proxy(self)
      case .retainsOnLoad: download.delegate = Unmanaged.passRetained(self).takeUnretainedValue()
      case .inTask:
        download.delegate = self
        Task { [self] in
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          isDone = true
        }
      case .waitsAMinute:
        download.strongDelegate = self
        Task { [weak download] in
          try? await Task.sleep(for: .seconds(60))
          download?.strongDelegate = nil
        }
      case .noDelegate, .doneWhenAsked, .setsFigure: break
      case .doneAtOnce: isDone = true
      case .capturesSelf: return { self.isDone = true }
      default: download.delegate = self
      }
      return download.finish
    }

    func downloadDidFinish(_ download: Download) { isDone = true }

    deinit {
      if now == .unownedCleared { download.unownedDelegate = nil }
      if now == .setsFigure { Ledger.current?.setMetric("heard", 1) }
      if now == .clearsInDeinit { download.strongDelegate = nil }
    }
  }
}
