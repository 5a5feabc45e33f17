/// What a class has answered, item by item, and what it has gained.
///
/// Encoded, it is the schema `memlab.answers-of-class/1`.
struct ClassReport: Encodable {
  /// The version of the schema.
  static let schema = "memlab.answers-of-class/1"

  /// What a class has answered to one item. Only the first answer of each learner counts.
  struct Item: Encodable {
    /// What was asked.
    let item: String
    /// How many learners have answered.
    let answers: Int
    /// The share of right answers, from 0 to 1.
    let right: Double
    /// The point-biserial correlation between a right answer here and the share of right answers to all
    /// other items; nil where one of them does not vary.
    let discrimination: Double?
    /// The belief that most of the wrong answers follow from; nil where there is none.
    let belief: String?

    /// What is wrong with the item, as a phrase; nil where nothing is.
    var remark: String? {
      if right > 0.9 { return "too easy" }
      if right < 0.2 { return "too hard" }
      return discrimination.map { $0 < 0.2 } == true ? "does not discriminate" : nil
    }
  }

  /// The gain from the inventory before the course to that after it, in shares of right answers.
  struct Gain: Encodable {
    /// How many learners have answered both.
    let learners: Int
    /// The mean share before.
    let before: Double
    /// The mean share after.
    let after: Double
    /// The mean of each learner's gain.
    let gain: Double
    /// The 95 % confidence interval of the gain, by the t distribution; nil for fewer than three.
    let interval: [Double]?
  }

  /// How many files there are.
  let learners: Int
  /// How many of their lines are damaged.
  let damagedLines: Int
  /// The items, by name.
  let items: [Item]
  /// The gain; nil where nobody has answered both inventories.
  let gain: Gain?

  /// A report about a class.
  init(of files: [AnswerFile]) {
    learners = files.count
    damagedLines = files.reduce(0) { $0 + $1.damaged }
    let first = files.map { $0.first.filter { $0.value.right != nil } }
    let counts = first.map { (count: $0.count, right: $0.values.count { $0.right == true }) }
    items = Set(first.flatMap(\.keys)).sorted { $0.inNumberOrder < $1.inNumberOrder }.map {
      Item($0, in: first, counts)
    }
    gain = Gain(of: first)
  }
}

extension ClassReport.Item {
  fileprivate init(
    _ item: String, in learners: [[String: AnswerRecord]], _ all: [(count: Int, right: Int)]
  ) {
    let who = learners.filter { $0[item] != nil }
    let own = who.map { $0[item]?.right == true ? 1.0 : 0 }
    let pairs = zip(learners, all).compactMap { answers, all -> (Double, Double)? in
      guard let answer = answers[item], all.count > 1 else { return nil }
      let right = answer.right == true ? 1 : 0
      return (Double(right), Double(all.right - right) / Double(all.count - 1))
    }
    let wrong = who.compactMap { $0[item] }.filter { $0.right == false }.compactMap(\.rule)
    let counts = Dictionary(grouping: wrong) { $0 }.mapValues(\.count)
    self.init(
      item: item, answers: who.count, right: own.mean ?? 0,
      discrimination: correlation(pairs.map(\.0), pairs.map(\.1)),
      belief: counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key)
  }
}

extension ClassReport.Gain {
  fileprivate init?(of learners: [[String: AnswerRecord]]) {
    let shares = learners.compactMap { answers -> (before: Double, after: Double)? in
      let of = { (set: String) in
        answers.filter { $0.key.hasPrefix("inventory/\(set)/") }.shareOfRight
      }
      guard let before = of("before"), let after = of("after") else { return nil }
      return (before, after)
    }
    let gains = shares.map { $0.after - $0.before }
    guard let mean = gains.mean, let before = shares.map(\.before).mean,
      let after = shares.map(\.after).mean
    else { return nil }
    var interval: [Double]?
    if gains.count > 2 {
      let freedom = Double(gains.count - 1)
      let variance = gains.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / freedom
      let half = quantileOfT(freedom) * (variance / Double(gains.count)).squareRoot()
      interval = [mean - half, mean + half]
    }
    (self.learners, self.before, self.after) = (gains.count, before, after)
    (gain, self.interval) = (mean, interval)
  }
}

extension [String: AnswerRecord] {
  /// The share of right answers; nil where there are none.
  fileprivate var shareOfRight: Double? { values.map { $0.right == true ? 1.0 : 0 }.mean }
}

extension [Double] {
  /// The mean; nil where there is nothing.
  fileprivate var mean: Double? { isEmpty ? nil : reduce(0, +) / Double(count) }
}

extension String {
  /// What names are sorted by, so that 10 comes after 9.
  fileprivate var inNumberOrder: String {
    split(separator: "/").map { $0.allSatisfy(\.isNumber) && $0.count < 2 ? "0\($0)" : "\($0)" }
      .joined(separator: "/")
  }
}

/// Pearson's correlation; nil where one side does not vary.
private func correlation(_ xs: [Double], _ ys: [Double]) -> Double? {
  guard let meanX = xs.mean, let meanY = ys.mean else { return nil }
  let (dx, dy) = (xs.map { $0 - meanX }, ys.map { $0 - meanY })
  let scale = (dx.reduce(0) { $0 + $1 * $1 } * dy.reduce(0) { $0 + $1 * $1 }).squareRoot()
  return scale > 1e-12 ? zip(dx, dy).reduce(0) { $0 + $1.0 * $1.1 } / scale : nil
}

/// The 97.5 % quantile of Student's t distribution, by the expansion of Cornish and Fisher: Abramowitz
/// and Stegun, Handbook of Mathematical Functions, 26.7.5.
///
/// - Parameter freedom: the degrees of freedom, at least 2; the error is 0.07 there, and below 0.01 from
///   3 on.
func quantileOfT(_ freedom: Double) -> Double {
  let z = 1.959_963_985
  let z2 = z * z
  let terms = [
    z, z * (z2 + 1) / 4, z * ((5 * z2 + 16) * z2 + 3) / 96,
    z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384,
    z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92_160,
  ]
  return terms.reversed().reduce(0) { $0 / freedom + $1 }
}
