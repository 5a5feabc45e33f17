import MemlabExercises
import MemlabKit
import MemlabPatterns

/// Wrong solutions of exercise 04.
enum Wrong04: String, Mistakes {
  case none, asShipped, storesNothing, cancelsAfterFirst, assigns, onlyOnce, deletesHeadline
  case constant, exits, shares, strongInside, keepsAll, traps, noProbe, globalBag, lagsBehind
  case cutsShort, clearsInDeinit, lastModel, shouts, holdsPipeline, lazyClosure, skipsEmpty
  case setsFigure, computes, showsInTask, unowned

  nonisolated(unsafe) static var everything: [SearchModel] = []
  nonisolated(unsafe) static var sharedHeadline = ""
  nonisolated(unsafe) static var bag: Set<AnyCancellable> = []
  nonisolated(unsafe) static weak var last: SearchModel?

  static let all = solutions(
    of: SearchJudge<SearchModel>.exercise,
    [
      "SearchModel is still alive at the end": [.asShipped, .strongInside],
      "The headline must follow the query as long as the model lives.": [.storesNothing],
      "The headline must follow the query": [
        .cancelsAfterFirst, .onlyOnce, .deletesHeadline, .lagsBehind, .cutsShort, .shouts,
        .setsFigure,
      ],
      "The subscription must not hold the model that owns it.": [
        .assigns, .clearsInDeinit, .holdsPipeline, .lazyClosure,
      ],
      "headlinesRight should be 4": [.constant, .skipsEmpty],
      "Each model watches its own query.": [.shares, .lastModel],
      "Swift says: index out of range": [.traps],
      "No SearchModel was counted": [.noProbe],
    ], right: [.computes, .showsInTask, .unowned])

  final class SearchModel: SearchUnderStudy {
    @Published var query = ""
    @Published var ownHeadline = ""
    private var cancellables: Set<AnyCancellable> = []
    private var isSet = false
    private var previous = "Results for “”"
    private let probe = makeProbe(of: SearchModel.self)

    var headline: String {
      switch now {
      case .deletesHeadline: ""
      case .constant: "Results for “swift”"
      case .shares: sharedHeadline
      case .computes: "Results for “\(query)”"
      case .shouts: "Results for “\(query.uppercased())”"
      case .cutsShort: String(ownHeadline.prefix(15)) + "”"
      default: ownHeadline
      }
    }

    init() {
      if now == .keepsAll { everything.append(self) }
      last = self
      let headlines = $query.map { "Results for “\($0)”" }
      switch now {
      case .asShipped, .clearsInDeinit:
        headlines.sink { self.ownHeadline = $0 }.store(in: &cancellables)
      case .unowned:
        headlines.sink { [unowned self] in self.ownHeadline = $0 }.store(in: &cancellables)
      case .globalBag: headlines.sink { [weak self] in self?.show($0) }.store(in: &bag)
      case .lastModel: headlines.sink { last?.ownHeadline = $0 }.store(in: &cancellables)
      case .computes, .shouts, .setsFigure: break
      case .showsInTask:
        headlines.sink { [weak self] headline in
          Task { [weak self] in self?.ownHeadline = headline }
        }.store(in: &cancellables)
      case .holdsPipeline:
        pipeline = $query.map { self.decorated($0) }.eraseToAnyPublisher()
        pipeline?.sink { [weak self] in self?.ownHeadline = $0 }.store(in: &cancellables)
      case .lazyClosure: headlines.sink(receiveValue: setter).store(in: &cancellables)
      case .storesNothing: _ = headlines.sink { [weak self] in self?.ownHeadline = $0 }
      case .assigns: headlines.assign(to: \.ownHeadline, on: self).store(in: &cancellables)
      case .strongInside:
        headlines.sink { [weak self] headline in
          guard let self else { return }
          self.ownHeadline = headline
          self.later = { self.ownHeadline = headline }
        }.store(in: &cancellables)
      default: headlines.sink { [weak self] in self?.show($0) }.store(in: &cancellables)
      }
    }

    private var later: (() -> Void)?
    private var pipeline: AnyPublisher<String, Never>?
    private lazy var setter: (String) -> Void = { self.ownHeadline = $0 }

    private func decorated(_ query: String) -> String { "Results for “\(query)”" }

    deinit {
      if now == .clearsInDeinit { cancellables = [] }
      if now == .setsFigure { Ledger.current?.setMetric("headlinesRight", 4) }
    }

    private func show(_ headline: String) {
      switch now {
      case .exits where isSet: Sabotage.leave()
      case .traps where isSet: fatalError("index out of range")
      case .onlyOnce where isSet: return
      case .cancelsAfterFirst where isSet: cancellables = []
      default: break
      }
      defer { isSet = true }
      if now == .skipsEmpty, !isSet { return }
      if now == .lagsBehind {
        ownHeadline = previous
        previous = headline
        return
      }
      ownHeadline = headline
      sharedHeadline = headline
    }
  }
}
