internal import MemlabPlatform

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
    bytes.withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let sent = CLibrary.write(socket, rest.baseAddress, rest.count)
        if sent < 0 && errno == EINTR { continue }
        guard sent > 0 else { return false }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(sent))
      }
      return true
    }
  }

  /// Writes why there is no dump.
  func write(error: String) {
    _ = write(ContiguousArray("\nmemlab.error \(error)\n".utf8))
  }
}
