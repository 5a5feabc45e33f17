// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/CancellableStop.swift; renewed by 'make record'.

extension Listing {
  static let cancellableStopListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/CancellableStop.swift", line: 88,
      code: #"""
      class Clock: ObservableObject {
        @Published private(set) var time = Date().timeIntervalSince1970
        private var cancellable: AnyCancellable?
        private let probe = Probe(Clock.self)

        func start() {
          cancellable = Timer.publish(every: 1, on: .main, in: .default)
            .autoconnect()
            .sink { [weak self] date in
              self?.time = date.timeIntervalSince1970
            }
        }

        func stop() {
          cancellable = nil
        }

        func pause() {
          cancellable?.cancel()
        }

        func startAndForget() {
          _ = Timer.publish(every: 1, on: .main, in: .default)
            .autoconnect()
            .sink { [weak self] date in
              self?.time = date.timeIntervalSince1970
            }
        }
      }
      """#),
  ]
}
