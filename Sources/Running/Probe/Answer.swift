import MemlabPlatform

/// The way back to who asked.
struct Answer {
  private let socket: Int32

  /// An answer on a socket.
  init(_ socket: Int32) { self.socket = socket }

  /// Writes bytes.
  ///
  /// No signal ends the copy when the peer is gone: all but those of faults are blocked there.
  ///
  /// - Returns: false when the peer is gone, or does not read on.
  func write(_ bytes: ContiguousArray<UInt8>) -> Bool {
    bytes.withUnsafeBytes { CLibrary.writeAll(socket, $0) }
  }

  /// Writes why there is no dump.
  func write(error: String) {
    _ = write(ContiguousArray("\nmemlab.error \(error)\n".utf8))
  }
}
