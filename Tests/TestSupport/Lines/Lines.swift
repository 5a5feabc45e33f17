extension String {
  /// The pieces between newlines; joined by newlines they are this text again.
  ///
  /// `split(separator: "\n")` does not see the newline in `"\r\n"`, which is one `Character`.
  package var newlineSeparated: [String] {
    utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// The words with a space between each two: the text as it was before its lines were broken.
  package var joinedLines: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
