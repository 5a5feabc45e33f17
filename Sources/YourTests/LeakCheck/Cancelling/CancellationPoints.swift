/// Where the body of a check is cancelled: once in each of several runs.
///
/// A body suspends where it, or a child task of it, waits: for an event, or only for its turn.
/// These places are counted from 1, in the order in which a run comes to them.
public struct CancellationPoints: Sendable {
  /// Which they are.
  enum Choice: Sendable {
    /// All of them, or so many that are spread evenly.
    case each(limit: Int)
    /// One of them, by its number.
    case one(Int)
    /// None: the body is cancelled before it begins.
    case beginning
  }

  /// Which they are.
  let choice: Choice

  /// Each place where the body suspends, a hundred at most, and before it begins.
  public static var atEachSuspension: Self { .atEachSuspension(limit: 100) }

  /// Each place where the body suspends, and before it begins.
  ///
  /// - Parameter limit: at how many of them the body is cancelled; where there are more, so many
  ///   are picked, evenly.
  public static func atEachSuspension(limit: Int) -> Self { Self(choice: .each(limit: limit)) }

  /// One place where the body suspends: to see again what a check has found there.
  ///
  /// - Parameter suspension: its number, as the failure has it.
  public static func at(_ suspension: Int) -> Self { Self(choice: .one(suspension)) }

  /// Before the body's first line: what it does when it is cancelled already.
  public static var beforeItBegins: Self { Self(choice: .beginning) }

  /// At how many places the body is cancelled at most, where it is at each; zero otherwise.
  var limit: Int { if case .each(let limit) = choice { limit } else { 0 } }

  /// Why there can be no such places, whatever the body; nil where there can.
  var mistake: String? {
    switch choice {
    case .each(let limit) where limit < 1:
      "cancelling: .atEachSuspension(limit: \(limit)) cancels nowhere. The limit must be 1 or more."
    case .one(let number) where number < 1:
      "cancelling: .at(\(number)) is no place. The first place where a body suspends is .at(1)."
    case .each, .one, .beginning: nil
    }
  }

  /// The moments at which to cancel a body, those first that tell most of what is found there.
  ///
  /// - Parameter suspensions: where the body has suspended when nobody cancelled it.
  func moments(in suspensions: [Suspension]) -> [CancellationMoment] {
    let numbers: [Int]
    switch choice {
    case .beginning: return [.beginning]
    case .one(let number): return [.during(number), .after(number)]
    case .each(let limit):
      let (count, all) = (min(limit, suspensions.count), suspensions.count)
      numbers = (0..<count).map { $0 * all / count + 1 }
    }
    let waits = numbers.filter { suspensions[$0 - 1].kind == .event }
    let others = numbers.filter { suspensions[$0 - 1].kind != .event }
    // What waits for its turn goes on when it has it, cancelled just before or just after.
    return (waits + others).map { .during($0) } + waits.map { .after($0) } + [.beginning]
  }
}

/// When a run of a body is cancelled.
enum CancellationMoment: Sendable, Equatable {
  /// Before its first line.
  case beginning
  /// While it is suspended for the n-th time.
  case during(Int)
  /// When what it has waited for has happened, and it is about to go on.
  case after(Int)
  /// Never, but for a body that does not end.
  case never

  /// The number of the suspension; nil where there is none.
  var suspension: Int? {
    switch self {
    case .beginning, .never: nil
    case .during(let number), .after(let number): number
    }
  }
}
