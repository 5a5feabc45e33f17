package import MemlabKit
package import MemlabPatterns

/// What the judge needs of a profile.
package protocol ProfileUnderStudy: AnyObject {
  /// Whose profile it is.
  var userID: Int { get set }
  /// The name to show.
  var name: String { get }
  /// A profile of nobody.
  init(service: NameService)
}

/// Knows the names of users. It lives as long as the app, and answers when the test wants it to.
package final class NameService {
  private let names = Secret.words(10)
  private var waiting: [(id: Int, answer: PassthroughSubject<String, Never>)] = []
  /// Whether it answers at once.
  var isFast = true

  /// The name of a user, now or later.
  package func name(of id: Int) -> AnyPublisher<String, Never> {
    if isFast { return Just(expected(id)).eraseToAnyPublisher() }
    let answer = PassthroughSubject<String, Never>()
    waiting.append((id, answer))
    return answer.eraseToAnyPublisher()
  }

  /// The right name.
  func expected(_ id: Int) -> String { id == 0 ? "" : names[id % names.count] }

  /// Answers all that wait.
  func answer() {
    let all = waiting
    waiting = []
    for (id, subject) in all {
      subject.send(expected(id))
      subject.send(completion: .finished)
    }
  }
}

/// Exercise 14: a profile and its service.
package final class ProfileJudge<Model: ProfileUnderStudy>: JudgeStage, Judge {
  private let service = NameService()
  private let late = Secret.number()
  private var model: Model?

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("drop", ["namesRight": 4, "modelsLeft": 0]) { [$0.open, $0.setFour, $0.drop] }
    ending("late", ["lateRight": 1, "modelsLeft": 0]) {
      [$0.open, $0.ask, $0.answer, $0.compareLate, $0.drop]
    }
    ending("pending", ["modelsLeft": 0]) { [$0.open, $0.ask, $0.drop, $0.answer] }
    // Code in which all profiles share one property shows the wrong profile's name here.
    Ending("two", ["ProfileModel": 2], figures: ["namesRight": 3, "modelsLeft": 1], run: two)
  }

  private static func ending(
    _ name: String, _ figures: [Metric: Int], steps: @escaping Steps<ProfileJudge>
  ) -> Ending {
    Ending(name, ["ProfileModel": 1], figures: figures, on: ProfileJudge.init, steps: steps)
  }

  @Sendable private static func two(_ lab: Lab) throws {
    let service = AppWide.keep(NameService(), for: lab.ledger)
    let ids = Secret.order(of: 10).map { $0 + 1 }.prefix(3)
    var models: [Model] = []
    try lab.step("two profiles are created") {
      models = (0..<2).map { _ in Model(service: service) }
    }
    try lab.step("an id is set in each") {
      for (model, id) in zip(models, ids) { model.userID = id }
    }
    var right = zip(models, ids).count { $0.name == service.expected($1) }
    try lab.release("the first profile is dropped") { models.removeFirst() }
    lab.ledger.setMetric("modelsLeft", lab.ledger.totals.object("ProfileModel").alive)
    try lab.step("another id is set in the other") { models[0].userID = ids[2] }
    right += models[0].name == service.expected(ids[2]) ? 1 : 0
    lab.ledger.setMetric("namesRight", right)
    try lab.release("the other profile is dropped") { models = [] }
  }

  private func open() throws {
    AppWide.keep(service, for: lab.ledger)
    try lab.step("a profile is created") { model = Model(service: service) }
  }

  private func setFour() throws {
    var right = 0
    for id in Secret.numbers(4) {
      try lab.step("an id is set") { model?.userID = id }
      right += model?.name == service.expected(id) ? 1 : 0
    }
    lab.ledger.setMetric("namesRight", right)
  }

  private func ask() throws {
    service.isFast = false
    try lab.step("an id is set") { model?.userID = late }
  }

  private func answer() throws { try lab.step("the answer comes") { service.answer() } }

  private func compareLate() {
    lab.ledger.setMetric("lateRight", model?.name == service.expected(late) ? 1 : 0)
  }

  private func drop() throws {
    try lab.release("the profile is dropped") { model = nil }
    lab.ledger.setMetric("modelsLeft", lab.ledger.totals.object("ProfileModel").alive)
  }
}
