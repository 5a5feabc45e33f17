import Testing

// Tests/Peers runs these on OpenCombine too.
#if OVER_OPENCOMBINE
  import Combine
#else
  import MemlabPatterns
#endif

/// An object whose end can be seen.
private final class Canary { var value = 0 }

@Suite("Combine: who holds whom") struct CombineLifetimeTests {
  private let source = PassthroughSubject<Int, Never>()

  @Test("A sink holds what its closure captures until it is cancelled") func sinkUntilCancelled() {
    weak var canary: Canary?
    let cancellable = hold(&canary) { canary in source.sink { canary.value = $0 } }
    #expect(canary != nil)
    cancellable.cancel()
    #expect(canary == nil)
  }

  @Test("A sink holds what its closure captures until the publisher completes")
  func sinkUntilCompletion() {
    weak var canary: Canary?
    let cancellable = hold(&canary) { canary in source.sink { canary.value = $0 } }
    source.send(completion: .finished)
    #expect(canary == nil)
    withExtendedLifetime(cancellable) {}
  }

  @Test("assign(to:on:) holds its object until the publisher completes")
  func assignUntilCompletion() {
    weak var canary: Canary?
    let cancellable = hold(&canary) { canary in source.assign(to: \.value, on: canary) }
    #expect(canary != nil)
    source.send(completion: .finished)
    #expect(canary == nil)
    withExtendedLifetime(cancellable) {}
  }

  @Test("An operator's closure goes with the subscription") func operatorUntilCancelled() {
    weak var canary: Canary?
    let cancellable = hold(&canary) { canary in
      source.flatMap { Just($0 + canary.value) }.sink { _ in }
    }
    source.send(1)
    #expect(canary != nil)
    cancellable.cancel()
    #expect(canary == nil)
  }

  @Test("A cancellable that is thrown away ends its subscription at once") func thrownAway() {
    var received: [Int] = []
    _ = source.sink { received.append($0) }
    source.send(1)
    #expect(received.isEmpty)
  }

  @Test("A subject lives while somebody is subscribed to it") func subjectIsHeld() {
    weak var subject: PassthroughSubject<Int, Never>?
    let cancellable: AnyCancellable
    do {
      let made = PassthroughSubject<Int, Never>()
      cancellable = made.map { $0 }.sink { _ in }
      subject = made
    }
    #expect(subject != nil)
    cancellable.cancel()
    #expect(subject == nil)
  }

  @Test("A set of cancellables cancels when it is emptied") func storedInSet() {
    var received: [Int] = []
    var cancellables = Set<AnyCancellable>()
    source.sink { received.append($0) }.store(in: &cancellables)
    source.send(1)
    cancellables.removeAll()
    source.send(2)
    #expect(received == [1])
  }

  private func hold(
    _ reference: inout Canary?, _ subscribe: (Canary) -> AnyCancellable
  ) -> AnyCancellable {
    let canary = Canary()
    reference = canary
    return subscribe(canary)
  }
}
