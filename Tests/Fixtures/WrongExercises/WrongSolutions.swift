import Exercises
import MemlabKit
import Synchronization

/// Remembers a title for ever, in songs that have lost their probe.
final class Playlist: PlaylistUnderStudy {
  private let title: String
  private var songs: [Song] = []
  private let probe = Probe(Playlist.self)

  init(title: String) { self.title = title }

  func add(_ song: Song) {
    songs.append(song)
    song.playlistTitle = title
  }
}

final class Song: SongUnderStudy {
  var playlistTitle: String?
}

/// Does not wait for the audit.
actor Account: AccountUnderStudy {
  private(set) var balance: Int
  private let audit: @Sendable () async -> Void

  init(balance: Int, audit: @escaping @Sendable () async -> Void) {
    self.balance = balance
    self.audit = audit
  }

  func withdraw(_ amount: Int) async -> Bool {
    guard balance >= amount else { return false }
    balance -= amount
    Task { await audit() }
    return true
  }
}

/// Lets a cancelled visitor go, and does not forget it.
final class Doorbell: DoorbellUnderStudy {
  private let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
  private let probe = Probe(Doorbell.self)

  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        if Task.isCancelled { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }

  func ring() {
    waiting.withLock { $0.take() }?.resume()
  }
}
