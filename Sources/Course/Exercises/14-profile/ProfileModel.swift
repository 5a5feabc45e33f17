// A profile shows the name of the user whose id is set. It asks a service for the name, which may
// take its time. The profile keeps itself alive in two ways. Fix both, so that it is deinitialised
// when it is dropped, also while an answer is on its way.

import MemlabKit
import MemlabPatterns

/// The profile.
final class ProfileModel: ProfileUnderStudy {
  /// Whose profile it is.
  @Published var userID = 0
  /// The name to show.
  @Published private(set) var name = ""
  private let service: NameService
  private var cancellables: Set<AnyCancellable> = []
  private let probe = Probe(ProfileModel.self)

  /// A profile of nobody.
  init(service: NameService) {
    self.service = service
    $userID
      .flatMap { self.service.name(of: $0) }
      .assign(to: \.name, on: self)
      .store(in: &cancellables)
  }
}
