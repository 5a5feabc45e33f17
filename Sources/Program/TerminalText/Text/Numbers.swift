/// A number of things, in words: "1 task", "2 tasks".
package func counted(_ count: Int, _ thing: String) -> String {
  "\(count) \(thing)\(count == 1 ? "" : "s")"
}

/// A number as lists have it: `1` becomes `01`; anything else stays as it was typed.
package func twoDigits(_ typed: String) -> String {
  typed.count == 1 && typed.allSatisfy { ("0"..."9").contains($0) } ? "0" + typed : typed
}

/// A number with this many places after the point, the same wherever it is printed.
///
/// - Parameters:
///   - value: A number that is not enormous: its digits must fit into an `Int`.
///   - places: The places, none for a whole number without a point.
package func decimal(_ value: Double, places: Int) -> String {
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = Int((value * Double(scale)).rounded())
  let sign = scaled < 0 ? "-" : ""
  guard places > 0 else { return "\(scaled)" }
  let fraction = "\(abs(scaled % scale))".padded(to: places, .right)
  return sign + "\(abs(scaled) / scale)." + fraction.map { $0 == " " ? "0" : String($0) }.joined()
}
