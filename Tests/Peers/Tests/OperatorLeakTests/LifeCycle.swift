import LeakCheck

/// How the life of a consumed sequence goes on and ends.
enum LifeCycle: CaseIterable {
  case finishes, fails, cancelled, brokenOff, neverRead

  /// A source with three values, which are watched.
  ///
  /// One that neither finishes nor fails has no more to say, and ends with the task that reads it.
  func source() -> AsyncThrowingStream<Value, any Error> {
    AsyncThrowingStream { continuation in
      for number in 1...3 { continuation.yield(watch(Value(number))) }
      switch self {
      case .finishes: continuation.finish()
      case .fails: continuation.finish(throwing: SourceFailure())
      case .cancelled, .brokenOff, .neverRead: break
      }
    }
  }

  /// Lives it with a sequence.
  ///
  /// - Parameter sequence: makes the sequence, in the task that reads it.
  func live(_ sequence: @escaping @Sendable () -> some AsyncSequence & SendableMetatype) async {
    switch self {
    case .finishes, .fails: await read(sequence())
    case .brokenOff: await read(sequence(), atMost: 1)
    case .neverRead: _ = sequence().makeAsyncIterator()
    case .cancelled:
      let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
      let consumer = Task { await read(sequence()) { beginning.finish() } }
      for await _ in begun {}
      consumer.cancel()
      await consumer.value
    }
  }

  private func read(
    _ sequence: some AsyncSequence, atMost limit: Int = .max, onValue: () -> Void = {}
  ) async {
    var count = 0
    do {
      for try await _ in sequence {
        onValue()
        count += 1
        if count == limit { break }
      }
    } catch {}
  }
}

/// What a source delivers.
final class Value: Equatable, Sendable {
  private let number: Int

  /// A value that is equal to those of the same number.
  init(_ number: Int) { self.number = number }

  static func == (one: Value, other: Value) -> Bool { one.number == other.number }
}

private struct SourceFailure: Error {}
