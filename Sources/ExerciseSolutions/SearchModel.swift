// A search model watches its own query and keeps a headline for it. The sink knows the model and does
// not hold it, so that the subscription ends with the model that holds it.

import Exercises
import MemlabKit
import Patterns

final class SearchModel: SearchUnderStudy {
  @Published var query = ""
  @Published private(set) var headline = ""
  private var cancellables: Set<AnyCancellable> = []
  private let probe = Probe(SearchModel.self)

  init() {
    $query
      .map { "Results for “\($0)”" }
      .sink { [weak self] in self?.headline = $0 }
      .store(in: &cancellables)
  }
}
