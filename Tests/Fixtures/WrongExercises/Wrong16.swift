import Dispatch
import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 16.
enum Wrong16: String, Mistakes {
  case none, asShipped, checksAgain, keepsFailure, keepsNothing, polls, swallows, oneForAll
  case loadsTwice, strongForever, exits, traps, noProbe, keepsAll, makesOwn, secondFails, sleeps
  case forgetsAll, naps, retries, weakly, unsafely, copies, sharesCache, cancelsAllOnFailure
  case byFirstLetter, semaphore, detached, strongTask, onlyTheFirstRemoves, continues
  case detachedButShared

  nonisolated(unsafe) static var shared: [String: Task<Photo, any Error>] = [:]
  nonisolated(unsafe) static var everything: [Pictures] = []

  static let all = solutions(
    of: PicturesJudge<Pictures>.exercise,
    [
      "A picture is loaded once, however many ask": [
        .asShipped, .checksAgain, .keepsNothing, .loadsTwice, .forgetsAll, .sleeps, .weakly,
        .sharesCache,
      ],
      "A failure reaches those who waited for that load, and nobody later.": [
        .keepsFailure, .cancelsAllOnFailure,
      ],
      "has not come to rest": [.polls, .naps],
      "failed should be 2": [.swallows],
      "Everybody gets the picture that they asked for.": [.oneForAll, .byFirstLetter],
      "The probes do not tell what the heap shows": [.strongForever],
      "Swift says: not found": [.traps],
      "No Pictures was counted": [.noProbe],
      "loads should be": [.makesOwn, .detached],
      "failed should be": [.secondFails, .retries],
      "has crashed": [.unsafely],
      "All who ask for the same picture get the same object.": [.copies],
      "nothing has moved": [.semaphore],
    ], right: [.strongTask, .onlyTheFirstRemoves, .continues, .detachedButShared])

  private struct Busy: Error {}

  private struct WeakPhoto { weak var photo: Photo? }

  actor Pictures: PicturesUnderStudy {
    private var loads: [String: Task<Photo, any Error>] = [:]
    private var pictures: [String: Photo] = [:]
    private var weakPictures: [String: WeakPhoto] = [:]
    private var unsafePictures: [String: Unsafely<Photo>] = [:]
    private var waiters: [String: [CheckedContinuation<Photo, any Error>]] = [:]
    private var busy: Set<String> = []
    private let load: @Sendable (String) async throws -> Photo
    private let probe = makeProbe(of: Pictures.self)

    init(load: @escaping @Sendable (String) async throws -> Photo) { self.load = load }

    func picture(named name: String) async throws -> Photo {
      switch now {
      case .asShipped, .checksAgain, .sleeps: return try await direct(name)
      case .weakly, .unsafely: return try await remembering(name)
      case .copies:
        _ = try await shared(name, name)
        return Photo(name)
      case .byFirstLetter: return try await shared(String(name.prefix(1)), name)
      case .continues: return try await continuing(name)
      case .semaphore:
        let loaded = DispatchSemaphore(value: 0)
        Task {
          _ = try? await load(name)
          loaded.signal()
        }
        Self.wait(for: loaded)
      case .detached: return try await Task.detached { [load] in try await load(name) }.value
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
      if now == .sharesCache { loads = Wrong16.shared }
      let isFirst = loads[key] == nil
      let task =
        loads[key]
        ?? (now == .detachedButShared
          ? Task.detached { [load] in try await load(name) }
          : Task { [load] in try await now == .strongTask ? self.load(name) : load(name) })
      loads[key] = task
      if now == .sharesCache { Wrong16.shared = loads }
      do {
        return try await task.value
      } catch {
        if now == .retries {
          loads[key] = nil
          return try await shared(key, name)
        }
        if now == .cancelsAllOnFailure { for other in loads.values { other.cancel() } }
        if now == .onlyTheFirstRemoves, !isFirst { throw error }
        if now == .traps { fatalError("not found") }
        if now == .swallows { return Photo(name) }
        if now == .forgetsAll { loads = [:] }
        if now != .keepsFailure, loads[key] == task { loads[key] = nil }
        throw error
      }
    }

    private func remembering(_ name: String) async throws -> Photo {
      if now == .weakly, let photo = weakPictures[name]?.photo { return photo }
      if now == .unsafely, let photo = unsafePictures[name]?.object { return photo }
      let photo = try await shared(name, name)
      loads[name] = nil
      weakPictures[name] = WeakPhoto(photo: photo)
      unsafePictures[name] = Unsafely(photo)
      return photo
    }

    private func continuing(_ name: String) async throws -> Photo {
      if let picture = pictures[name] { return picture }
      if waiters[name] != nil {
        return try await withCheckedThrowingContinuation { waiters[name]?.append($0) }
      }
      waiters[name] = []
      do {
        let picture = try await load(name)
        pictures[name] = picture
        for waiter in waiters.removeValue(forKey: name) ?? [] { waiter.resume(returning: picture) }
        return picture
      } catch {
        for waiter in waiters.removeValue(forKey: name) ?? [] { waiter.resume(throwing: error) }
        throw error
      }
    }

    private nonisolated static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

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
