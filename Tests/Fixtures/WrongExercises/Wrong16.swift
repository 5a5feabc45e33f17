import Exercises
import MemlabKit

/// Wrong solutions of exercise 16.
enum Wrong16: String, Mistakes {
  case none, asShipped, checksAgain, keepsFailure, keepsNothing, polls, swallows, oneForAll,
    loadsTwice
  case strongForever, exits, traps, noProbe, keepsAll, makesOwn, secondFails, sleeps, forgetsAll,
    naps

  nonisolated(unsafe) static var now = Wrong16.none
  nonisolated(unsafe) static var everything: [Pictures] = []

  static let all = solutions(
    of: .pictures(Pictures.self),
    [
      .asShipped: "A picture is loaded once, however many ask",
      .checksAgain: "A picture is loaded once, however many ask",
      .keepsFailure: "A failure reaches those who waited for that load, and nobody later.",
      .keepsNothing: "A picture is loaded once, however many ask",
      .polls: "has not come to rest",
      .naps: "has not come to rest",
      .swallows: "failed should be 2",
      .oneForAll: "Everybody gets the picture that they asked for.",
      .loadsTwice: "A picture is loaded once, however many ask",
      .strongForever: "The probes do not tell what the heap shows",
      .exits: "Your code ended the process, with code 0",
      .traps: "Swift says: not found",
      .noProbe: "No Pictures was counted",
      .keepsAll: "held by",
      .makesOwn: "loads should be",
      .secondFails: "failed should be",
      .forgetsAll: "A picture is loaded once, however many ask",
      .sleeps: "A picture is loaded once, however many ask",
    ]
  ) { now = $0 }

  private struct Busy: Error {}

  actor Pictures: PicturesUnderStudy {
    private var loads: [String: Task<Photo, any Error>] = [:]
    private var pictures: [String: Photo] = [:]
    private var busy: Set<String> = []
    private let load: @Sendable (String) async throws -> Photo
    private let probe: Probe? = now == .noProbe ? nil : Probe(Pictures.self)

    init(load: @escaping @Sendable (String) async throws -> Photo) { self.load = load }

    func picture(named name: String) async throws -> Photo {
      switch now {
      case .asShipped, .checksAgain, .sleeps: return try await direct(name)
      case .keepsNothing: return try await load(name)
      case .makesOwn: return Photo(name)
      case .exits: Sabotage.leave()
      case .keepsAll: everything.append(self)
      case .polls, .naps, .secondFails: return try await waiting(name)
      case .loadsTwice: _ = try await load(name)
      case .strongForever:
        Task {
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          _ = self.pictures
        }
      default: break
      }
      return try await shared(now == .oneForAll ? "" : name, name)
    }

    private func shared(_ key: String, _ name: String) async throws -> Photo {
      let task = loads[key] ?? Task { [load] in try await load(name) }
      loads[key] = task
      do {
        return try await task.value
      } catch {
        if now == .traps { fatalError("not found") }
        if now == .swallows { return Photo(name) }
        if now == .forgetsAll { loads = [:] }
        if now != .keepsFailure { loads[key] = nil }
        throw error
      }
    }

    private func direct(_ name: String) async throws -> Photo {
      if let picture = pictures[name] { return picture }
      if now == .sleeps { try await Task.sleep(for: .seconds(1)) }
      let picture = try await load(name)
      if now == .checksAgain, let other = pictures[name] { return other }
      pictures[name] = picture
      return picture
    }

    private func waiting(_ name: String) async throws -> Photo {
      if now == .secondFails, busy.contains(name) { throw Busy() }
      while busy.contains(name) {
        if now == .naps { try await Task.sleep(for: .seconds(1)) } else { await Task.yield() }
      }
      busy.insert(name)
      return try await direct(name)
    }
  }
}
