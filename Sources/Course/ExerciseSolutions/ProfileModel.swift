import MemlabExercises
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
      .flatMap { [service] in service.name(of: $0) }
      .sink { [weak self] in self?.name = $0 }
      .store(in: &cancellables)
  }
}
