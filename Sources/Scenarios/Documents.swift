import MemlabKit

extension Document {
  /// Document 000: five steps from a leaking `AsyncThrowingStream` to one that ends.
  static let asyncStreamMemory = Document(
    file: "000_1d1ebed5561b2a0c.txt", title: "Swift AsyncStream and memory management")

  /// Document 004: why structs are called thread-safe, and when they are not.
  static let structsAndThreads = Document(
    file: "004_fbc4adfaec866691.txt", title: "Are structs always safe?")
}
