import MemlabKit

extension Scenario {
  /// `notification-block`: a block that a notification centre keeps.
  static let notificationBlock = Scenario(
    id: "notification-block", title: "a block that a notification centre keeps",
    document: .manyNotifications, place: "its observers, rebuilt",
    lesson: "12-it-grows-and-nothing-leaks",
    question: "A page observes notifications with a block, and is dropped. What stays alive?",
    hint: "Who holds the block, and until when?",
    beliefs: [
      .cycle("The page stores the token, and the block uses the page."),
      .nobody("People assume that a token ends its observation when it goes."),
    ],
    next: "timer-handler",
    endings: [
      Ending(
        "block", "the block captures the page",
        expects: .one(.leak, ["Page": .aGlobal], metrics: ["blocks": 1, "heard": 2]),
        explanation: "The centre lives as long as the app and holds the block. The token in the "
          + "page plays no part: it is a name for the block, and releasing it ends nothing.",
        run: { try play($0) { $0.observe($1) } }),
      Ending(
        "weak", "the block captures the page weakly",
        expects: .one(.clean, ["Page": nil], metrics: ["blocks": 1, "heard": 1]),
        explanation: "The page is gone, and the block stays in the centre: an empty block for each "
          + "page that was ever shown. It grows, and no object leaks.",
        run: { try play($0) { $0.observeWeakly($1) } }
      )
      .asking("The block captures the page weakly. What does the centre still hold in the end?"),
      Ending(
        "removed", "the block is weak, and deinit removes it",
        expects: .one(.clean, ["Page": nil], metrics: ["blocks": 0, "heard": 1]),
        explanation: "Weak lets the deinit run, and the deinit gives the token back. It takes both "
          + "lines.",
        run: { try play($0) { $0.observeUntilDeinit($1) } }),
    ])

  private static func play(
    _ lab: Lab, observe: (NotificationBlock.Page, Callbacks) -> Void
  ) throws {
    let centre = AppWide.keep(Callbacks(), for: lab.ledger)
    @Variable("page") var page: NotificationBlock.Page?
    try lab.step("a page is created and observes") { page = made(.init()) { observe($0, centre) } }
    try lab.step("a notification is posted") { centre.callAll() }
    try lab.release("the page is dropped") { page = nil }
    try lab.step("another notification is posted") { centre.callAll() }
    lab.ledger.setMetrics(["blocks": centre.count, "heard": lab.ledger.notes(of: "heard")])
  }
}

/// A page that observes notifications.
enum NotificationBlock {
  // snippet:code
  final class Page {
    private var token: Int?
    private weak var centre: Callbacks?
    private let probe = Probe(Page.self)

    func observe(_ centre: Callbacks) {
      token = centre.add { self.hear() }
    }

    func observeWeakly(_ centre: Callbacks) {
      token = centre.add { [weak self] in self?.hear() }
    }

    func observeUntilDeinit(_ centre: Callbacks) {
      observeWeakly(centre)
      self.centre = centre
    }

    deinit {
      if let token { centre?.remove(token) }
    }

    private func hear() { Ledger.current?.note("heard") }
  }
  // snippet:end
}
