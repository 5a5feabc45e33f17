/// A file of leaks that are known, a line for each: its fingerprint, what it was, the test that leaves it
/// behind, and behind a number sign why it may stay.
///
///     514b9d849fc4 Clock is still alive, in AppTests.ticks() # the login page keeps it, issue 12
///
/// Several processes may read it, and add to it, at the same time.
package struct BaselineFile: Sendable {
  /// A known leak.
  package struct Entry: Sendable {
    /// Its line, from 1.
    package let line: Int
    /// What equal leaks have in common.
    package let fingerprint: String
    /// What it was; empty where the line does not say.
    package let title: String
    /// The test that leaves it behind; nil where the line does not say.
    package let test: String?
    /// Why it may stay; nil where the line does not say.
    package let reason: String?
  }

  /// Where it is.
  package let path: String

  /// The file at a path, which may not exist.
  package init(path: String) { self.path = path }

  /// The known leaks.
  ///
  /// - Throws: ``BaselineProblem`` when it cannot be read, or a line of it is not one.
  package func entries() throws(BaselineProblem) -> [Entry] {
    let file = try opened(O_RDONLY)
    defer { close(file) }
    return try Self.entries(in: try text(of: file))
  }

  /// Adds a line, unless another process has.
  ///
  /// - Parameter test: the test that leaves it behind, where that is known.
  /// - Throws: ``BaselineProblem`` when it cannot be written, or a line of it is not one.
  package func add(
    _ fingerprint: String, _ title: String, of test: String?
  ) throws(BaselineProblem) {
    let file = try locked(O_RDWR | O_CREAT | O_APPEND)
    defer { close(file) }
    let text = try text(of: file)
    guard try !Self.entries(in: text).contains(where: { $0.fingerprint == fingerprint }) else {
      return
    }
    let isOpen = text.last.map { !$0.isNewline } ?? false
    let what = Self.part(title) + (test.map { ", in " + Self.part($0) } ?? "")
    let line = Array(((isOpen ? "\n" : "") + "\(fingerprint) \(what)\n").utf8)
    guard line.withUnsafeBytes({ CLibrary.writeAll(file, $0) }) else { throw BaselineProblem() }
  }

  /// Takes lines out of it.
  ///
  /// - Throws: `BaselineProblem` or `OutputError` when it cannot be read or written.
  package func remove(_ entries: [Entry]) throws {
    let file = try locked(O_RDONLY)
    defer { close(file) }
    let gone = Set(entries.map(\.fingerprint))
    let text = try text(of: file)
    // A test run may have added lines since the entries were read.
    let lines = Set(try Self.entries(in: text).filter { gone.contains($0.fingerprint) }.map(\.line))
    let rest = Self.lines(of: text).enumerated().filter { !lines.contains($0.offset + 1) }
    let end = text.unicodeScalars.contains("\r") ? "\r\n" : "\n"
    try WholeFile(path).write(rest.map(\.element).joined(separator: end))
  }

  // A file that was opened before `remove` has put another in its place is no longer at the path.
  private func locked(_ mode: CInt) throws(BaselineProblem) -> CInt {
    while true {
      let file = try opened(mode)
      guard flock(file, LOCK_EX) == 0 else {
        defer { close(file) }
        throw BaselineProblem()
      }
      let named = SystemCalls.status(of: path)
      if let named, SystemCalls.isOpen(named, by: file) { return file }
      close(file)
    }
  }

  private func opened(_ mode: CInt) throws(BaselineProblem) -> CInt {
    let place: CheckedPlace
    do { place = try CheckedPlace(path) } catch {
      errno = error.code
      throw BaselineProblem()
    }
    errno = EINVAL
    let file = place.isSpecial ? -1 : place.open(mode, 0o644)
    guard file >= 0 else { throw BaselineProblem() }
    return file
  }

  // A part of a line has no mark that parts have between them.
  private static func part(_ text: String) -> String {
    text.shown().replacing(" # ", with: " \\u{23} ").replacing(", in ", with: ",\\u{20}in ")
  }

  private static let mostBytes = 1 << 24

  private func text(of file: CInt) throws(BaselineProblem) -> String {
    var contents: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &part, part.count)
      guard count >= 0 else { throw BaselineProblem() }
      guard count > 0 else { return String(decoding: contents, as: UTF8.self) }
      contents += part.prefix(count)
      guard contents.count <= Self.mostBytes else {
        throw BaselineProblem("it has more than \(Self.mostBytes >> 20) MB")
      }
    }
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
  }

  private static func entries(in text: String) throws(BaselineProblem) -> [Entry] {
    var entries: [Entry] = []
    for (place, line) in lines(of: text).enumerated() {
      let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
      guard let first = words.first, !first.hasPrefix("#") else { continue }
      guard first.count == 12, first.allSatisfy(\.isHexDigit) else {
        let column = line.distance(from: line.startIndex, to: first.startIndex) + 1
        throw BaselineProblem(
          "line \(place + 1), column \(column): \(quoted(String(first))) is no fingerprint, which has "
            + "twelve hexadecimal digits")
      }
      let (what, reason) = (words.count > 1 ? words[1] : "").parted(at: " # ")
      let (title, test) = what.parted(at: ", in ")
      entries.append(
        Entry(
          line: place + 1, fingerprint: String(first), title: String(title), test: test,
          reason: reason))
    }
    return entries
  }
}

extension Substring {
  /// What stands before the first of some marks, and what stands behind it; nil where there is none.
  package func parted(at mark: String) -> (Substring, String?) {
    guard let range = utf8.firstRange(of: mark.utf8) else { return (self, nil) }
    return (self[..<range.lowerBound], String(self[range.upperBound...]))
  }
}

/// Why a baseline could not be read or written: what the C library said last, or which line is wrong.
package struct BaselineProblem: Error, CustomStringConvertible {
  /// Whether there is no such file.
  package let isMissing: Bool
  /// `Permission denied`.
  package let description: String

  /// The failure of the last call to the system, from `errno`.
  init() {
    isMissing = errno == ENOENT
    description = String(cString: strerror(errno))
  }

  /// A line that is not one.
  init(_ sentence: String) { (isMissing, description) = (false, sentence) }
}
