import MemlabExercises
import MemlabKit
import MemlabPatterns

/// Wrong solutions of exercise 24.
enum Wrong24: String, Mistakes {
  case none, asShipped, onlyRemoves, onlyWeak, lastToken, ignoresRepeats, firstHears, removesAll
  case firstComesFirst, lastCentre, inInit, unowned, unwraps, inTask, exits, noProbe, cancellable
  case observesAnew, noSelf

  nonisolated(unsafe) static var allTokens: [NoticeCentre.Token] = []
  nonisolated(unsafe) static weak var lastMade: NoticeCentre?

  static let all = solutions(
    of: NewsPageJudge<NewsPage>.exercise,
    [
      "What does the centre hold through the block?": [.asShipped, .onlyRemoves],
      "A page must hand its token back when it goes.": [.onlyWeak, .lastCentre, .inTask],
      "One block is enough for a page": [.lastToken, .firstHears],
      "A page hears each notice once": [.ignoresRepeats, .removesAll, .firstComesFirst, .inInit],
      "the reference is weak": [.unowned],
      // Optimised code gives no reason.
      _isDebugAssertConfiguration() ? "Swift says: Unexpectedly found nil" : "the code has crashed":
        [.unwraps],
      "No NewsPage was counted": [.noProbe],
    ], right: [.cancellable, .observesAnew, .noSelf])

  final class NewsPage: NewsPageUnderStudy {
    private let log = Box<[String]>([])
    var notices: [String] { log.value }
    private let centre: NoticeCentre
    private var tokens: [NoticeCentre.Token] = []
    private var observation: AnyCancellable?
    private let probe = makeProbe(of: NewsPage.self)

    init(centre: NoticeCentre) {
      self.centre = centre
      lastMade = centre
      if now == .inInit { observe() }
    }

    func appear() {
      let isEachTime = [.asShipped, .lastToken, .ignoresRepeats, .firstHears].contains(now)
      if now == .exits { Sabotage.leave() }
      if now == .observesAnew { handBack() }
      if isEachTime || tokens.isEmpty { observe() }
    }

    private func observe() {
      let token = centre.observe(block)
      tokens.append(token)
      if [.removesAll, .firstComesFirst].contains(now) { allTokens.append(token) }
      if now == .cancellable { observation = AnyCancellable { [centre] in centre.remove(token) } }
    }

    private var block: (String) -> Void {
      switch now {
      case .asShipped, .onlyRemoves: { self.note($0) }
      case .unowned: { [unowned self] in self.note($0) }
      case .noSelf: { [log] in log.value.append($0) }
      case .firstHears: { [weak self, isFirst = tokens.isEmpty] in if isFirst { self?.note($0) } }
      default: { [weak self] in self?.note($0) }
      }
    }

    private func note(_ notice: String) {
      if !(now == .ignoresRepeats && log.value.last == notice) { log.value.append(notice) }
    }

    private func handBack() { while let token = tokens.popLast() { centre.remove(token) } }

    deinit {
      switch now {
      case .asShipped, .onlyWeak, .cancellable: break
      case .lastToken: tokens.suffix(1).forEach(centre.remove)
      case .removesAll: allTokens.forEach(centre.remove)
      case .firstComesFirst: allTokens.prefix(1).forEach(centre.remove)
      case .lastCentre: for token in tokens { lastMade?.remove(token) }
      case .inTask: Task { [centre, tokens] in tokens.forEach(centre.remove) }
      case .unwraps: centre.remove(tokens.first!)
      default: handBack()
      }
    }
  }
}
