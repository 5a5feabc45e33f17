/// The rates as text: a line for each contestant, two columns for each number of consumers.
struct RateTable {
  private static let nameWidth = 31
  private static let rateWidth = 9

  /// The lines above the rates.
  static func head(_ consumers: [Int]) -> String {
    let counts = consumers.map {
      "to \(grouped($0))".leftPadded(to: rateWidth) + String(repeating: " ", count: 7)
    }
    return """
      values delivered per second of processor time, in thousands,
      and how many times as many as by \(Contestant.all[0].name)

      """ + "\n" + (String(repeating: " ", count: nameWidth) + counts.joined()).trimmed
  }

  /// A contestant's line.
  ///
  /// - Parameters:
  ///   - rates: its values per second, for each number of consumers.
  ///   - reference: those of what it is compared with.
  static func line(_ name: String, _ rates: [Double], reference: [Double]) -> String {
    let cells = zip(rates, reference).map { rate, reference in
      grouped(Int((rate / 1000).rounded())).leftPadded(to: rateWidth)
        + decimal(rate / reference).leftPadded(to: 7)
    }
    return name + String(repeating: " ", count: max(1, nameWidth - name.count)) + cells.joined()
  }

  /// A number with its thousands apart: 12,345.
  private static func grouped(_ number: Int) -> String {
    guard number >= 1000 else { return "\(number)" }
    let rest = "\(number % 1000)"
    return grouped(number / 1000) + "," + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// A number with two decimals: 0.07.
  private static func decimal(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100)." + "\(hundredths % 100 / 10)\(hundredths % 10)"
  }
}

extension String {
  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}
