internal import FoundationEssentials
internal import Synchronization

/// A file of the leaks that are known: a fingerprint and what it was, one to a line.
///
/// With `LEAKCHECK_RECORD=1` in the environment, leaks that are new are added to it.
struct Baseline {
  /// The file's name.
  let name: String
  private let path: String
  private let known: Set<String>

  private static let file = Mutex(())

  /// The baseline of a check: the file that it names, from its own folder, or else the one that
  /// `LEAKCHECK_BASELINE` names.
  init?(_ path: String?, beside source: String) {
    let environment = ProcessInfo.processInfo.environment
    guard
      let path = path.map({ Self.resolve($0, beside: source) })
        ?? environment["LEAKCHECK_BASELINE"]
    else { return nil }
    self.path = path
    name = path.split(separator: "/").last.map(String.init) ?? path
    known = Self.read(path)
  }

  /// Whether a leak is in the file, or has just been added.
  func knows(_ fingerprint: Fingerprint, _ title: String) -> Bool {
    if known.contains(fingerprint.description) { return true }
    guard ProcessInfo.processInfo.environment["LEAKCHECK_RECORD"] == "1" else { return false }
    return Self.file.withLock { _ in
      if Self.read(path).contains(fingerprint.description) { return true }
      let old = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      let new = old + "\(fingerprint) \(title)\n"
      return (try? new.write(toFile: path, atomically: true, encoding: .utf8)) != nil
    }
  }

  private static func resolve(_ path: String, beside source: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    return source.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      .joined(separator: "/") + "/" + path
  }

  private static func read(_ path: String) -> Set<String> {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return Set(
      text.split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) })
  }
}
