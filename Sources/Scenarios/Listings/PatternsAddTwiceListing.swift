// swift-format-ignore-file
// Copies of what is marked in Sources/Patterns/AsyncLet/AddTwice.swift; renewed by 'make record'.

extension Listing {
  static let patternsAddTwiceListing: [Listing] = [
    Listing(
      "code", path: "Sources/Patterns/AsyncLet/AddTwice.swift", line: 16,
      code: #"""
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
      """#),
    Listing(
      "fixes", path: "Sources/Patterns/AsyncLet/AddTwice.swift", line: 38,
      code: #"""
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
      """#),
  ]
}
