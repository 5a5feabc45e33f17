// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/SinkStrongSelf.swift; renewed by 'make record'.

extension Listing {
  static let sinkStrongSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/SinkStrongSelf.swift", line: 60,
      code: #"""
      class Clock: ObservableObject {
        @Published private(set) var time = Date().timeIntervalSince1970
        private var cancellable: AnyCancellable?
        private let probe = Probe(Clock.self)

        func start() {
          cancellable = Timer.publish(
            every: 1,
            on: .main,
            in: .default
          )
          .autoconnect()
          .sink { date in
            self.time = date.timeIntervalSince1970
          }
        }

        func stop() {
          cancellable = nil
        }
      }
      """#),
  ]
}
