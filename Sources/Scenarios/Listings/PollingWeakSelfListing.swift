// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/PublicReports/PollingWeakSelf.swift; renewed by 'make record'.

extension Listing {
  static let pollingWeakSelfListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/PublicReports/PollingWeakSelf.swift", line: 97,
      code: #"""
      func pollStrongly(by clock: HandTurnedClock) {
        task = Task(probe: "poll") {
          while true {
            self.poll()
            try? await Task.sleep(for: .seconds(1), clock: clock)
          }
        }
      }

      func pollWhileLet(by clock: HandTurnedClock) {
        task = Task(probe: "poll") { [weak self] in
          while let self {
            self.poll()
            try? await Task.sleep(for: .seconds(1), clock: clock)
          }
        }
      }

      func pollScoped(by clock: HandTurnedClock) {
        task = Task(probe: "poll") { [weak self] in
          while self?.poll() != nil {
            try? await Task.sleep(for: .seconds(1), clock: clock)
          }
        }
      }
      """#),
  ]
}
