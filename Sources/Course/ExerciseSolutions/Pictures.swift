import MemlabExercises
import MemlabKit

/// The cache.
actor Pictures: PicturesUnderStudy {
  private var loads: [String: Task<Photo, any Error>] = [:]
  private let load: @Sendable (String) async throws -> Photo
  private let probe = Probe(Pictures.self)

  /// An empty cache.
  init(load: @escaping @Sendable (String) async throws -> Photo) { self.load = load }

  /// The picture of this name, loaded if need be.
  func picture(named name: String) async throws -> Photo {
    let task = loads[name] ?? Task { [load] in try await load(name) }
    loads[name] = task
    do {
      return try await task.value
    } catch {
      // Another may have begun to load it again.
      if loads[name] == task { loads[name] = nil }
      throw error
    }
  }
}
