// A screen's task asks a model for the weather of a town. When the screen goes away, its task is
// cancelled. The model goes on loading all the same, and the task waits for it. Fix it so that loading
// ends with the task that has asked for it, and not with that of another screen. The weather must
// still be shown when it comes, and an error must still reach the task.

import MemlabKit

/// The model of one or more screens.
actor WeatherModel: WeatherUnderStudy {
  /// What the screens show; nil before anything was loaded.
  private(set) var shown: String?
  private let load: @Sendable (String) async throws -> String
  private let probe = Probe(WeatherModel.self)

  /// A model that shows nothing yet.
  init(load: @escaping @Sendable (String) async throws -> String) { self.load = load }

  /// Loads the weather of a town, and shows it. What was shown before stays until then.
  func show(_ town: String) async throws {
    let loading = Task { [load] in try await load(town) }
    shown = try await loading.value
  }
}
