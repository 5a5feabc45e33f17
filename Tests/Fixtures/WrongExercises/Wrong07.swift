import Exercises
import MemlabKit

/// Wrong solutions of exercise 07.
enum Wrong07: String, Mistakes {
  case none, asShipped, unowned, clearsInFinish, clearsInDeinit, tellsNobody, doneAtOnce, noDelegate
  case exits, traps, noProbe, capturesSelf, keepsAll

  nonisolated(unsafe) static var now = Wrong07.none
  nonisolated(unsafe) static var everything: [Screen] = []

  static let all = solutions(
    of: .download(Screen.self),
    [
      .asShipped: "Which property of the download leads back to it?",
      .unowned: "the reference is weak",
      .clearsInFinish: "To keep the download must not mean to keep the screen.",
      .clearsInDeinit: "Screen is still alive at the end",
      .tellsNobody: "The download must still tell its delegate.",
      .doneAtOnce: "The screen is done when its download says so, and not before.",
      .noDelegate: "The download must still tell its delegate.",
      .exits: "Your code ended the process, with code 0",
      .traps: "Swift says: nobody waits",
      .noProbe: "No Download was counted",
      .capturesSelf: "To keep the download must not mean to keep the screen.",
      .keepsAll: "held by",
    ]
  ) { now = $0 }

  final class Download {
    weak var delegate: Screen?
    unowned var unownedDelegate: Screen?
    var strongDelegate: Screen?
    private let probe: Probe? = now == .noProbe ? nil : Probe(Download.self)

    func finish() {
      switch now {
      case .exits: Sabotage.leave()
      case .tellsNobody: return
      case .traps where delegate == nil: fatalError("nobody waits")
      case .unowned: unownedDelegate?.downloadDidFinish(self)
      default: (delegate ?? strongDelegate)?.downloadDidFinish(self)
      }
      if now == .clearsInFinish { strongDelegate = nil }
    }
  }

  final class Screen: ScreenUnderStudy {
    private let download = Download()
    private(set) var isDone = false
    private let probe = Probe(Screen.self)

    init() { if now == .keepsAll { everything.append(self) } }

    func load() -> () -> Void {
      switch now {
      case .asShipped, .clearsInFinish, .clearsInDeinit: download.strongDelegate = self
      case .unowned: download.unownedDelegate = self
      case .noDelegate: break
      case .doneAtOnce: isDone = true
      case .capturesSelf:
        return { self.isDone = true }
      default: download.delegate = self
      }
      return download.finish
    }

    func downloadDidFinish(_ download: Download) { isDone = true }

    deinit { if now == .clearsInDeinit { download.strongDelegate = nil } }
  }
}
