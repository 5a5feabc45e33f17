import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 22.
enum Wrong22: String, Mistakes {
  case none, asShipped, detached, looksBefore, forgets, cancelsAlways, cancelsPrevious
  case cancelsLatest, remembers, swallows, keepsFirst, clears, loadsNothing, traps, asyncLet
  case inGroup, handler, leavesQuietly

  static let all = solutions(
    of: WeatherJudge<WeatherModel>.exercise,
    [
      "A load goes on as long as its screen's task waits, and ends when that is cancelled": [
        .asShipped, .detached, .looksBefore, .forgets, .cancelsAlways, .cancelsPrevious,
      ],
      "The weather is shown when it has come": [
        .cancelsLatest, .remembers, .keepsFirst, .clears, .loadsNothing,
      ],
      "An error of the load must reach": [.swallows], "Swift says: no weather": [.traps],
    ], right: [.asyncLet, .inGroup, .handler, .leavesQuietly])

  actor WeatherModel: WeatherUnderStudy {
    private(set) var shown: String?
    private var (latest, wasCancelled): (Task<String, any Error>?, Bool) = (nil, false)
    private let load: @Sendable (String) async throws -> String
    private let probe = Probe(WeatherModel.self)

    init(load: @escaping @Sendable (String) async throws -> String) { self.load = load }

    func show(_ town: String) async throws {
      do {
        let weather = try await weather(of: town)
        if now != .keepsFirst || shown == nil { shown = weather }
      } catch {
        wasCancelled = wasCancelled || error is CancellationError
        if now == .traps { fatalError("no weather") }
        if now == .clears { shown = nil }
        if now == .leavesQuietly, error is CancellationError { return }
        if now != .swallows { throw error }
      }
    }

    private func weather(of town: String) async throws -> String {
      switch now {
      case .loadsNothing: return town
      case .remembers where wasCancelled: throw CancellationError()
      case .asShipped, .looksBefore:
        if now == .looksBefore { try Task.checkCancellation() }
        return try await Task { [load] in try await load(town) }.value
      case .detached: return try await Task.detached { [load] in try await load(town) }.value
      case .forgets:
        Task { shown = try await load(town) }
        return ""
      case .asyncLet:
        async let weather = load(town)
        return try await weather
      case .inGroup:
        return try await withThrowingTaskGroup(of: String.self) { [load] group in
          group.addTask { try await load(town) }
          return try await group.next() ?? ""
        }
      case .handler, .cancelsAlways, .cancelsPrevious, .cancelsLatest: return try await handle(town)
      default: return try await load(town)
      }
    }

    private func handle(_ town: String) async throws -> String {
      if now == .cancelsPrevious { latest?.cancel() }
      let loading = Task { [load] in try await load(town) }
      latest = loading
      if now == .cancelsAlways { loading.cancel() }
      return try await withTaskCancellationHandler {
        try await loading.value
      } onCancel: {
        if now == .cancelsLatest { Task { await self.latest?.cancel() } } else { loading.cancel() }
      }
    }
  }
}
