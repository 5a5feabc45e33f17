// A search model watches its own query and keeps a headline for it. It keeps itself, too. Mend it so
// that it goes when it is dropped, and still updates its headline while it is there.

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
      .sink { self.headline = $0 }
      .store(in: &cancellables)
  }
}
