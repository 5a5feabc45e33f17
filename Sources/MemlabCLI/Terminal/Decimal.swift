/// A number with this many places after the point, the same wherever it is printed.
///
/// - Parameters:
///   - value: A number that is not enormous: its digits must fit into an `Int`.
///   - places: The places, none for a whole number without a point.
func decimal(_ value: Double, places: Int) -> String {
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let scaled = Int((value * Double(scale)).rounded())
  let sign = scaled < 0 ? "-" : ""
  guard places > 0 else { return "\(scaled)" }
  let fraction = "\(abs(scaled % scale))".padded(to: places, .right)
  return sign + "\(abs(scaled) / scale)." + fraction.map { $0 == " " ? "0" : String($0) }.joined()
}
