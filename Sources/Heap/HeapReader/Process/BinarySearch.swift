import MemlabHeapModel

extension Range<Int> {
  /// Where a condition ends that holds up to some index and for none from there on.
  ///
  /// - Parameter holds: the condition; asked for about as many indices as their number has bits.
  /// - Returns: the first index for which it does not hold, the upper bound if there is none.
  @inline(__always)
  func end(of holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
