// A search model watches its own query and keeps a headline for it. The sink refers to the model
// weakly, so the subscription ends with the model that holds it.

import MemlabExercises
import MemlabKit
import MemlabPatterns

/// The search model.
final class SearchModel: SearchUnderStudy {
  /// The text to search for.
  @Published var query = ""
  /// The text above the results.
  @Published private(set) var headline = ""
  private var cancellables: Set<AnyCancellable> = []
  private let probe = Probe(SearchModel.self)

  /// A model with an empty query.
  init() {
    $query
      .map { "Results for “\($0)”" }
      .sink { [weak self] in self?.headline = $0 }
      .store(in: &cancellables)
  }
}
