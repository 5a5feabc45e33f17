/// A figure that could not be taken, so that none is to be trusted.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
