/// Is called for each addition, and may stop it between its read and its write.
public protocol AdditionObserver: Sendable {
  /// The number was read. It is written when this call returns.
  func read(_ value: Int) async
  /// The number was written.
  func wrote(_ value: Int)
}

/// Three ways to add to a number twice, with an `await` between each read and its write.
///
/// The first way loses an addition: do not copy it. It is here, and not beside its scenario,
/// because this module is in Swift 6 mode, where the compiler accepts it without a warning. Swift 5
/// mode warns. Reported as swiftlang/swift 83100.
public enum AddTwice {
  // snippet:code
  static func addOne(to count: inout Int, _ observer: any AdditionObserver) async {
    let read = count
    await observer.read(read)
    count = read + 1
    observer.wrote(count)
  }

  /// Adds from two child tasks at the same time.
  ///
  /// - Parameters:
  ///   - count: the number, which both children change.
  ///   - observers: one for each of the two.
  public static func sideBySide(
    to count: inout Int, _ observers: [any AdditionObserver]
  ) async {
    async let first: Void = addOne(to: &count, observers[0])
    async let second: Void = addOne(to: &count, observers[1])
    _ = await (first, second)
  }
  // snippet:end

  // snippet:fixes
  /// Adds a second time when the first is over.
  public static func inTurn(to count: inout Int, _ observers: [any AdditionObserver]) async {
    await addOne(to: &count, observers[0])
    await addOne(to: &count, observers[1])
  }

  /// Adds what two child tasks return.
  public static func results(to count: inout Int, _ observers: [any AdditionObserver]) async {
    async let first = one(observers[0])
    async let second = one(observers[1])
    count += await first + second
  }
  // snippet:end

  private static func one(_ observer: any AdditionObserver) async -> Int {
    var own = 0
    await addOne(to: &own, observer)
    return own
  }
}
