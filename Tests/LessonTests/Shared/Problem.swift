/// Something in a text that is not true, or not proven.
struct Problem: Error, Equatable, CustomStringConvertible {
  /// The path of the file from the root.
  var file: String
  /// The line, counted from 1.
  var line: Int
  /// What is wrong and what to do, as a clause.
  var message: String

  var description: String { "\(file):\(line): \(message)" }
}
