import MemlabExercises
import MemlabKit
import MemlabPatterns

/// Wrong solutions of exercise 14.
enum Wrong14: String, Mistakes {
  case none, asShipped, onlyAssignFixed, onlyClosureFixed, storesNothing, readsOnce, cancels
  case asksNobody, guardsInside, keepsAll, exits, traps, noProbe, unownedSelf, strongLater
  case clearsOnAnswer, constant, lastProfile, globalBag, onlyFast, lagsBehind, holdsPipeline
  case lazyClosure, nestedStrong, clearsInDeinit, setsFigure, closureInService, nestedWeak
  case unownedStored

  nonisolated(unsafe) static var everything: [ProfileModel] = []
  nonisolated(unsafe) static var bag: Set<AnyCancellable> = []
  nonisolated(unsafe) static weak var last: ProfileModel?

  static let all = solutions(
    of: ProfileJudge<ProfileModel>.exercise,
    [
      "Which parts of the pipeline hold self?": [
        .asShipped, .onlyAssignFixed, .onlyClosureFixed, .guardsInside, .holdsPipeline,
        .lazyClosure, .clearsInDeinit,
      ],
      "The name must follow the id as long as the profile lives.": [.storesNothing],
      "The name must follow the id": [
        .readsOnce, .cancels, .asksNobody, .unownedSelf, .constant, .lastProfile, .lagsBehind,
        .setsFigure,
      ],
      "Swift says: no name": [.traps],
      "No ProfileModel was counted": [.noProbe],
      "An answer on its way must not hold the profile.": [
        .strongLater, .clearsOnAnswer, .nestedStrong,
      ],
      "An answer that takes its time must still be shown.": [.onlyFast, .closureInService],
    ], right: [.nestedWeak, .unownedStored])

  final class ProfileModel: ProfileUnderStudy {
    @Published var userID = 0
    @Published private(set) var name = ""
    private let service: NameService
    private var cancellables: Set<AnyCancellable> = []
    private var count = 0
    private let probe = makeProbe(of: ProfileModel.self)

    init(service: NameService) {
      self.service = service
      if now == .keepsAll { everything.append(self) }
      last = self
      let names = names
      switch now {
      case .asShipped, .onlyClosureFixed:
        names.assign(to: \.name, on: self).store(in: &cancellables)
      case .lastProfile: names.sink { last?.show($0) }.store(in: &cancellables)
      case .globalBag: names.sink { [weak self] in self?.show($0) }.store(in: &bag)
      case .unownedStored: names.sink { [unowned self] in self.show($0) }.store(in: &cancellables)
      case .holdsPipeline:
        pipeline = $userID.flatMap { self.service.name(of: $0) }.eraseToAnyPublisher()
        pipeline?.sink { [weak self] in self?.show($0) }.store(in: &cancellables)
      case .clearsInDeinit: names.sink { self.show($0) }.store(in: &cancellables)
      case .lazyClosure: names.sink(receiveValue: setter).store(in: &cancellables)
      case .nestedStrong:
        $userID.sink { [weak self] id in
          guard let self else { return }
          self.service.name(of: id).sink { self.show($0) }.store(in: &self.cancellables)
        }.store(in: &cancellables)
      case .nestedWeak:
        $userID.sink { [weak self, service] id in
          let answer = service.name(of: id).sink { [weak self] in self?.show($0) }
          self?.answer = answer
        }.store(in: &cancellables)
      case .onlyFast, .closureInService:
        $userID.sink { [weak self, service] id in
          let answer = service.name(of: id).sink { [weak self] in self?.show($0) }
          if now == .closureInService { answer.cancel() }
        }.store(in: &cancellables)
      case .setsFigure: break
      case .storesNothing: _ = names.sink { [weak self] in self?.show($0) }
      case .unownedSelf: _ = names.sink { [unowned self] in self.show($0) }
      case .clearsOnAnswer:
        names.sink {
          self.show($0)
          if self.userID != 0 { self.cancellables = [] }
        }.store(in: &cancellables)
      default: names.sink { [weak self] in self?.show($0) }.store(in: &cancellables)
      }
    }

    private var names: AnyPublisher<String, Never> {
      switch now {
      case .asShipped, .onlyAssignFixed:
        $userID.flatMap { self.service.name(of: $0) }.eraseToAnyPublisher()
      case .guardsInside:
        $userID.flatMap { [weak self] id -> AnyPublisher<String, Never> in
          guard let self else { return Just("").eraseToAnyPublisher() }
          self.later = { _ = self.userID }
          return self.service.name(of: id)
        }.eraseToAnyPublisher()
      case .strongLater:
        $userID.flatMap { [weak self] id -> AnyPublisher<String, Never> in
          guard let self else { return Just("").eraseToAnyPublisher() }
          return self.service.name(of: id).map { [self] name in
            _ = self.userID
            return name
          }.eraseToAnyPublisher()
        }.eraseToAnyPublisher()
      case .asksNobody: $userID.map { "\($0)" }.eraseToAnyPublisher()
      case .constant: $userID.map { _ in "Ada" }.eraseToAnyPublisher()
      default: $userID.flatMap { [service] in service.name(of: $0) }.eraseToAnyPublisher()
      }
    }

    private var later: (() -> Void)?
    private var pipeline: AnyPublisher<String, Never>?
    private var answer: AnyCancellable?
    private var previous = ""
    private lazy var setter: (String) -> Void = { self.show($0) }

    deinit {
      cancellables = []
      if now == .setsFigure { Ledger.current?.setMetric("namesRight", 4) }
    }

    private func show(_ name: String) {
      count += 1
      switch now {
      case .exits: Sabotage.leave()
      case .traps where count > 1: fatalError("no name")
      case .readsOnce where count > 2: return
      case .cancels where count > 1: cancellables = []
      case .lagsBehind:
        (self.name, previous) = (previous, name)
        return
      default: break
      }
      self.name = name
    }
  }
}
