// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/AssignToPublished.swift; renewed by 'make record'.

extension Listing {
  static let assignToPublishedListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/AssignToPublished.swift", line: 102,
      code: #"""
      class Clock: ObservableObject {
        @Published private(set) var time = Date().timeIntervalSince1970
        private let probe = Probe(Clock.self)

        init() {
          Timer.publish(
            every: 1,
            on: .main,
            in: .default
          )
          .autoconnect()
          .map(\.timeIntervalSince1970)
          .assign(to: &$time)
        }
      }
      """#),
    Listing(
      "started", path: "Sources/Scenarios/Combine/AssignToPublished.swift", line: 120,
      code: #"""
      class StartedClock: ObservableObject {
        @Published private(set) var time = Date().timeIntervalSince1970
        private let probe = Probe(StartedClock.self)

        func start() {
          Timer.publish(every: 1, on: .main, in: .default)
            .autoconnect()
            .map(\.timeIntervalSince1970)
            .assign(to: &$time)
        }
      }
      """#),
  ]
}
