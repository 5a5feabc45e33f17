#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How one quantity grows with another.
package enum Slope {
  /// The power in `y ~ x^power` that fits best: the slope of the line through the logarithms.
  ///
  /// - Parameter points: Positive pairs; fewer than two have no slope.
  package static func power(of points: [(x: Double, y: Double)]) -> Double {
    guard points.count > 1 else { return 0 }
    let logs = points.map { (x: log($0.x), y: log($0.y)) }
    let count = Double(logs.count)
    let x = logs.reduce(0) { $0 + $1.x } / count
    let y = logs.reduce(0) { $0 + $1.y } / count
    let product = logs.reduce(0) { $0 + ($1.x - x) * ($1.y - y) }
    return product / logs.reduce(0) { $0 + ($1.x - x) * ($1.x - x) }
  }
}
