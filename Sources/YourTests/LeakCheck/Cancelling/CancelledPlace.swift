import MemlabHeapModel

/// Where a run of a body was cancelled, for a reader.
struct CancelledPlace {
  /// The moment.
  let moment: CancellationMoment
  private let suspension: Suspension?
  private let count: Int

  /// Where a run was cancelled.
  ///
  /// - Parameters:
  ///   - suspensions: where the body has suspended in that run, up to there.
  ///   - count: how often it suspends when nobody cancels it.
  init(_ moment: CancellationMoment, in suspensions: [Suspension], of count: Int) {
    (self.moment, self.count) = (moment, max(count, suspensions.count))
    suspension = moment.suspension.flatMap {
      suspensions.indices.contains($0 - 1) ? suspensions[$0 - 1] : nil
    }
  }

  /// What is said of it: `cancelled while it waits in load() at Loader.swift:31, the third of 7
  /// suspensions`.
  var text: String {
    switch moment {
    case .beginning: "cancelled before it begins"
    case .never: "not cancelled"
    case .during(let number) where suspension?.kind == .elsewhere:
      "cancelled while it runs\(function), which the check does not steer, \(words(of: number))"
    case .during(let number): "cancelled while it waits\(function), \(words(of: number))"
    case .after(let number):
      "cancelled when it has waited\(function), before it goes on, \(words(of: number))"
    }
  }

  /// What to write in the test to see it again.
  var argument: String {
    moment.suspension.map { "cancelling: .at(\($0))" } ?? "cancelling: .beforeItBegins"
  }

  /// The function that it waits in, and the line; empty where that is not known.
  var function: String {
    guard let frame = suspension?.trace()?.frames.lazy.map(HeapFrame.init).first else { return "" }
    return " in \(frame.function)" + (frame.location.map { " at \($0)" } ?? "")
  }

  private static let ordinals = [
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
  ]

  private func words(of number: Int) -> String {
    guard number <= Self.ordinals.count else { return "suspension \(number) of \(count)" }
    return "the \(Self.ordinals[number - 1]) of \(count) suspension\(count == 1 ? "" : "s")"
  }
}
