/// What a key does while pages are shown.
package enum Key: Sendable, Equatable {
  /// Enter, space, n, the arrow to the right or down, page down.
  case forward
  /// b, p, backspace, the arrow to the left or up, page up.
  case back
  /// e: the next ending.
  case next
  /// q, or the end of the input.
  case quit

  /// The keys in what a terminal has sent; what is not known is left out.
  package static func read(_ bytes: some Collection<UInt8>) -> [Key] {
    var keys: [Key] = []
    var rest = Array(bytes)[...]
    while let byte = rest.popFirst() {
      let key = byte == 0x1B ? sequence(&rest) : single(byte)
      if let key { keys.append(key) }
    }
    return keys
  }

  private static func single(_ byte: UInt8) -> Key? {
    switch byte {
    case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: " "), UInt8(ascii: "n"): .forward
    case UInt8(ascii: "b"), UInt8(ascii: "p"), 0x08, 0x7F: .back
    case UInt8(ascii: "e"): .next
    case UInt8(ascii: "q"), 0x04: .quit
    default: nil
    }
  }

  /// What follows an escape: `[C`, `OC`, `[6~`; an escape alone means nothing.
  private static func sequence(_ rest: inout ArraySlice<UInt8>) -> Key? {
    guard let first = rest.first, first == UInt8(ascii: "[") || first == UInt8(ascii: "O") else {
      return nil
    }
    rest.removeFirst()
    let parameters = rest.prefix { (0x20...0x3F).contains($0) }
    rest = rest.dropFirst(parameters.count)
    switch (rest.popFirst(), parameters.first) {
    case (UInt8(ascii: "C"), _), (UInt8(ascii: "B"), _): return .forward
    case (UInt8(ascii: "D"), _), (UInt8(ascii: "A"), _): return .back
    case (UInt8(ascii: "~"), UInt8(ascii: "6")): return .forward
    case (UInt8(ascii: "~"), UInt8(ascii: "5")): return .back
    default: return nil
    }
  }
}
