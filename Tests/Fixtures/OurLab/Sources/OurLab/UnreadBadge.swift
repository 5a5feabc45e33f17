import Memlab

/// A model of the main actor, whose own task holds it and never ends by itself.
let unreadBadge = Scenario(
  id: "unread-badge",
  title: "a badge that asks for unread messages every minute",
  endings: [
    Ending("leave", "the screen with the badge is closed") { lab in
      @Variable("badge") var badge: UnreadBadge?
      badge = try lab.awaiting("a badge is shown") { await UnreadBadge.shown() }
      try lab.release("the screen is closed") { badge = nil }
    },
    Ending("stop", "the badge is stopped, and then the screen is closed") { lab in
      @Variable("badge") var badge: UnreadBadge?
      badge = try lab.awaiting("a badge is shown") { await UnreadBadge.shown() }
      // Steps run on the main thread.
      try lab.step("the badge is stopped") {
        let shown = badge
        MainActor.assumeIsolated { shown?.stop() }
      }
      try lab.release("the screen is closed") { badge = nil }
    },
  ])

// snippet:code
@MainActor final class UnreadBadge {
  private let probe = Probe(UnreadBadge.self)
  private var asked = 0
  private var polling: Task<Void, Never>?

  static func shown() -> UnreadBadge {
    let badge = UnreadBadge()
    badge.poll()
    return badge
  }

  func poll() {
    polling = Task(probe: "poll") {
      while !Task.isCancelled {
        asked += 1
        try? await Task.sleep(for: .seconds(60))
      }
    }
  }

  func stop() { polling?.cancel() }
}
// snippet:end
