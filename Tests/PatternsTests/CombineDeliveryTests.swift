import Foundation
import Testing

// Tests/Peers runs these on OpenCombine too.
#if OVER_OPENCOMBINE
  import Combine
  private typealias RunLoop = Combine.RunLoop
  private typealias Timer = Combine.Timer
  private typealias DispatchQueue = Combine.DispatchQueue
#else
  import MemlabPatterns
  private typealias RunLoop = MemlabPatterns.RunLoop
  private typealias Timer = MemlabPatterns.Timer
  private typealias DispatchQueue = MemlabPatterns.DispatchQueue
#endif

private struct Failed: Error {}

private class Model: ObservableObject { @Published var first = 1 }

private final class DerivedModel: Model { @Published var second = 1 }

@Suite("Combine: what is delivered, and in which order") struct CombineDeliveryTests {
  @Test("A current value comes first, and nothing comes after the completion") func currentValue() {
    var received: [String] = []
    let subject = CurrentValueSubject<Int, Never>(1)
    let cancellable = subject.sink { _ in
      received.append("done")
    } receiveValue: {
      received.append("\($0)")
    }
    subject.value = 2
    subject.send(completion: .finished)
    subject.send(3)
    #expect(received == ["1", "2", "done"])
    withExtendedLifetime(cancellable) {}
  }

  @Test("flatMap goes on until its last publisher has ended; catch takes over from an error")
  func flatMapAndCatch() {
    var received: [String] = []
    let (outer, inner) = (PassthroughSubject<Int, Failed>(), PassthroughSubject<String, Failed>())
    let cancellable =
      outer
      .flatMap { number in inner.map { "\(number)\($0)" } }
      .catch { _ in Just("caught") }
      .sink { _ in
        received.append("done")
      } receiveValue: {
        received.append($0)
      }
    outer.send(1)
    outer.send(2)
    outer.send(completion: .finished)
    inner.send("a")
    inner.send(completion: .failure(Failed()))
    #if OVER_OPENCOMBINE
      // Its subject keeps its subscribers in a set, and serves them in any order.
      received[..<2].sort()
    #endif
    #expect(received == ["1a", "2a", "caught", "done"])
    withExtendedLifetime(cancellable) {}
  }

  @Test("An object announces a change before it happens, inherited properties included")
  func objectWillChange() {
    let model = DerivedModel()
    var seen: [Int] = []
    let cancellable = model.objectWillChange.sink { seen.append(model.first + model.second) }
    model.first = 2
    model.second = 2
    #expect(seen == [2, 3])
    #expect(model.objectWillChange === model.objectWillChange)
    cancellable.cancel()
  }

  @Test("Timers fire in the order in which they are due, and one that ends itself fires no more")
  func timers() {
    let loop = RunLoop(now: Date(timeIntervalSinceReferenceDate: 0))
    var fired: [String] = []
    var slow: AnyCancellable?
    slow = Timer.publish(every: 3, on: loop, in: .default).autoconnect().sink { _ in
      fired.append("slow")
      slow = nil
    }
    let quick = Timer.publish(every: 2, on: loop, in: .default).autoconnect().sink { _ in
      fired.append("quick")
    }
    loop.run(until: Date(timeIntervalSinceReferenceDate: 6))
    #expect(fired == ["quick", "slow", "quick", "quick"])
    #expect(loop.timers == 1)
    quick.cancel()
    #expect(loop.timers == 0)
    withExtendedLifetime(slow) {}
  }

  @Test("Two subscribers share one connection, which ends with the second") func autoconnect() {
    let loop = RunLoop()
    let publisher = Timer.publish(every: 1, on: loop, in: .default).autoconnect()
    let first = publisher.sink { _ in }
    let second = publisher.sink { _ in }
    #expect(loop.timers == 1)
    first.cancel()
    #expect(loop.timers == 1)
    second.cancel()
    #expect(loop.timers == 0)
  }

  @Test("receive(on:) keeps the order, and delivers nothing once it is cancelled")
  func receiveOn() async {
    let (queue, subject) = (DispatchQueue(), PassthroughSubject<Int, Never>())
    var received: [Int] = []
    let kept = subject.receive(on: queue).sink { received.append($0) }
    let dropped = subject.receive(on: queue).sink { _ in Issue.record("delivered") }
    await withCheckedContinuation { continuation in
      queue.schedule { dropped.cancel() }
      for number in 0..<100 { subject.send(number) }
      queue.schedule { continuation.resume() }
    }
    #expect(received == Array(0..<100))
    kept.cancel()
  }
}
