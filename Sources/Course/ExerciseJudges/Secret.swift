import Synchronization

/// Values that nobody can know before the run, so that only code that passes them on has them.
enum Secret {
  /// A random number, from 1 to the limit.
  static func number(upTo limit: Int = 9_999) -> Int { Int.random(in: 1...limit) }

  /// This many random numbers, no two of them equal.
  static func numbers(_ count: Int) -> [Int] {
    var numbers: [Int] = []
    while numbers.count < count {
      let number = number()
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }

  /// The numbers from zero in a random order.
  static func order(of count: Int) -> [Int] { (0..<count).shuffled() }

  /// A random word of 5 to 12 letters, longer than the words that exercise 19 forbids.
  static func word() -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    return String((0..<Int.random(in: 5...12)).map { _ in letters[Int.random(in: 0..<26)] })
  }

  /// This many random words, no two of them equal.
  static func words(_ count: Int) -> [String] {
    var words: [String] = []
    while words.count < count {
      let word = word()
      if !words.contains(word) { words.append(word) }
    }
    return words
  }
}

/// What a judge has seen, kept where the learner's code cannot reach it.
final class Seen<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])

  /// Everything so far, in order.
  var all: [Value] { values.withLock { $0 } }

  /// Adds what was seen.
  func add(_ value: Value) { values.withLock { $0.append(value) } }
}

extension Seen where Value: Equatable {
  /// How many of the expected values were seen at their places, minus one for each value too many.
  func right(of expected: [Value]) -> Int { all.right(of: expected) }
}

extension Array where Element: Equatable {
  /// How many of the expected values are at their places, minus one for each value too many.
  func right(of expected: [Element]) -> Int {
    zip(self, expected).count { $0 == $1 } - Swift.max(0, count - expected.count)
  }
}
