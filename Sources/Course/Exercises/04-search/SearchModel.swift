// A search model watches its own query and keeps a headline for it. It also keeps itself alive. Fix
// it so that it is deinitialised when it is dropped, and still updates its headline until then.

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
      .sink { self.headline = $0 }
      .store(in: &cancellables)
  }
}
