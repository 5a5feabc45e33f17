import MemlabKit

extension Document {
  /// The chapter of the Swift book on which all the others build.
  static let automaticReferenceCounting = Document(
    file: "https://docs.swift.org/swift-book/documentation/the-swift-programming-language/"
      + "automaticreferencecounting/",
    title: "Automatic reference counting")

  /// Document 000: five steps from a leaking `AsyncThrowingStream` to one that ends.
  static let asyncStreamMemory = Document(
    file: "000_1d1ebed5561b2a0c.txt", title: "Swift AsyncStream and memory management")

  /// Document 003: who holds whom in a Combine pipeline.
  static let combineMemory = Document(
    file: "003_cedcf7aa689e3301.txt", title: "Memory management in Combine")

  /// Document 004: why structs are called thread-safe, and when they are not.
  static let structsAndThreads = Document(
    file: "004_fbc4adfaec866691.txt", title: "Are structs always safe?")

  /// Document 001: where a ReactorKit reactor keeps its dispose bag.
  static let reactorDisposeBag = Document(
    file: "001_0135710dd94f442d.txt", title: "Does a Reactor have a disposeBag?")

  /// Document 002: several consumers of one `AsyncStream`.
  static let asyncStreamBroadcast = Document(
    file: "002_ac247bea5e167b2e.txt", title: "When several consumers want one AsyncStream")
}
