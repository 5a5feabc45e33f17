// A cache loads each picture once and keeps it. It is an actor, and even so two who ask for the same
// picture at the same time make it load twice, and hold two copies. Fix it so that a picture is
// loaded once and everybody gets the same object. A load that fails is tried again by the next who
// asks.

import MemlabKit

/// The cache.
actor Pictures: PicturesUnderStudy {
  private var pictures: [String: Photo] = [:]
  private let load: @Sendable (String) async throws -> Photo
  private let probe = Probe(Pictures.self)

  /// An empty cache.
  init(load: @escaping @Sendable (String) async throws -> Photo) { self.load = load }

  /// The picture of this name, loaded if need be.
  func picture(named name: String) async throws -> Photo {
    if let picture = pictures[name] { return picture }
    let picture = try await load(name)
    pictures[name] = picture
    return picture
  }
}
