import Synchronization

/// A page that a client asks for.
protocol Page: Sendable {
  /// What the client is sent.
  var text: String { get }
}

// snippet:leaking
/// The front page: the headlines that have come in since it was made.
final class FrontPage: Page {
  private let headlines = Mutex<[String]>([])

  init(of newsroom: Newsroom) {
    Task {
      for await headline in newsroom.headlines() { add(headline) }
    }
  }

  private func add(_ headline: String) { headlines.withLock { $0.append(headline) } }

  var text: String {
    headlines.withLock { $0.isEmpty ? "no news\n" : $0.joined(separator: "\n") + "\n" }
  }
}
// snippet:end

// snippet:fixed
/// The same, and it goes with its request.
final class PoliteFrontPage: Page {
  private let headlines = Mutex<[String]>([])
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(of newsroom: Newsroom) {
    let task = Task { [weak self] in
      for await headline in newsroom.headlines() { self?.add(headline) }
    }
    self.task.withLock { $0 = task }
  }

  deinit { task.withLock { $0?.cancel() } }

  private func add(_ headline: String) { headlines.withLock { $0.append(headline) } }

  var text: String {
    headlines.withLock { $0.isEmpty ? "no news\n" : $0.joined(separator: "\n") + "\n" }
  }
}
// snippet:end
