import Exercises
import MemlabKit
import Patterns

/// Wrong solutions of exercise 04.
enum Wrong04: String, Mistakes {
  case none, asShipped, storesNothing, cancelsAfterFirst, assigns, onlyOnce, deletesHeadline,
    constant
  case exits, shares, strongInside, keepsAll, traps, noProbe

  nonisolated(unsafe) static var now = Wrong04.none
  nonisolated(unsafe) static var everything: [SearchModel] = []
  nonisolated(unsafe) static var sharedHeadline = ""

  static let all = solutions(
    of: .search(SearchModel.self),
    [
      .asShipped: "SearchModel is still alive at the end",
      .storesNothing: "The headline must follow the query as long as the model lives.",
      .cancelsAfterFirst: "The headline must follow the query",
      .assigns: "The subscription must not hold the model that owns it.",
      .onlyOnce: "The headline must follow the query",
      .deletesHeadline: "The headline must follow the query",
      .constant: "headlinesRight should be 4",
      .exits: "Your code ended the process, with code 0",
      .shares: "Each model watches its own query.",
      .strongInside: "SearchModel is still alive at the end",
      .keepsAll: "held by",
      .traps: "Swift says: index out of range",
      .noProbe: "No SearchModel was counted",
    ]
  ) { now = $0 }

  final class SearchModel: SearchUnderStudy {
    @Published var query = ""
    @Published var ownHeadline = ""
    private var cancellables: Set<AnyCancellable> = []
    private var isSet = false
    private let probe: Probe?

    var headline: String {
      switch now {
      case .deletesHeadline: ""
      case .constant: "Results for “swift”"
      case .shares: sharedHeadline
      default: ownHeadline
      }
    }

    init() {
      probe = now == .noProbe ? nil : Probe(SearchModel.self)
      if now == .keepsAll { everything.append(self) }
      let headlines = $query.map { "Results for “\($0)”" }
      switch now {
      case .asShipped: headlines.sink { self.ownHeadline = $0 }.store(in: &cancellables)
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

    private func show(_ headline: String) {
      switch now {
      case .exits where isSet: Sabotage.leave()
      case .traps where isSet: fatalError("index out of range")
      case .onlyOnce where isSet: return
      case .cancelsAfterFirst where isSet: cancellables = []
      default: break
      }
      isSet = true
      ownHeadline = headline
      sharedHeadline = headline
    }
  }
}
