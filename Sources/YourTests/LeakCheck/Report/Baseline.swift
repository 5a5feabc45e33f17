import MemlabPlatform

/// The leaks that are known.
///
/// With `LEAKCHECK_RECORD=1` in the environment, leaks that are new are added to them.
struct Baseline {
  /// The file's name.
  let name: String
  private let file: BaselineFile
  private let known: Result<Set<String>, BaselineProblem>
  private let isRecording: Bool

  /// The baseline of a check: the file that it names, from its own folder, or else the one that
  /// `LEAKCHECK_BASELINE` names.
  init?(_ path: String?, beside source: String) {
    let environment = ProcessInfo.processInfo.environment
    let folder = source.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    let own = path.map { $0.hasPrefix("/") ? $0 : folder.joined(separator: "/") + "/" + $0 }
    guard let path = own ?? environment["LEAKCHECK_BASELINE"] else { return nil }
    isRecording = environment["LEAKCHECK_RECORD"] == "1"
    name = path.split(separator: "/").last.map(String.init) ?? path
    file = BaselineFile(path: path)
    known = Result { [file] () throws(BaselineProblem) in try file.fingerprints() }
  }

  /// Whether a leak is in the file, or has just been added.
  ///
  /// - Throws: ``BaselineProblem`` when the file cannot be read, or not be added to.
  func knows(_ fingerprint: Fingerprint, _ title: String) throws(BaselineProblem) -> Bool {
    do throws(BaselineProblem) {
      if try known.get().contains(fingerprint.description) { return true }
    } catch  where !error.isMissing || !isRecording {
      throw error
    } catch {}
    if isRecording { try file.add(fingerprint, title) }
    return isRecording
  }

  /// What to tell of a problem with it, and what to do.
  func advice(on problem: BaselineProblem) -> String {
    "the baseline \(file.path) was not used: \(problem.reason)"
      + (problem.isMissing && !isRecording ? "; LEAKCHECK_RECORD=1 makes it" : "")
  }
}

/// A file of fingerprints, each followed by what it was, one to a line.
///
/// Several processes may read and add to it at the same time.
struct BaselineFile {
  /// Where it is.
  let path: String

  /// The fingerprints in it.
  ///
  /// - Throws: ``BaselineProblem`` when it cannot be read.
  func fingerprints() throws(BaselineProblem) -> Set<String> {
    let file = try opened(O_RDONLY)
    defer { close(file) }
    return Self.fingerprints(in: try text(of: file))
  }

  /// Adds a line, unless another process has.
  ///
  /// - Throws: ``BaselineProblem`` when it cannot be written.
  func add(_ fingerprint: Fingerprint, _ title: String) throws(BaselineProblem) {
    let file = try opened(O_RDWR | O_CREAT | O_APPEND)
    defer { close(file) }
    guard flock(file, LOCK_EX) == 0 else { throw BaselineProblem() }
    let text = try text(of: file)
    guard !Self.fingerprints(in: text).contains(fingerprint.description) else { return }
    let isOpen = text.last.map { !$0.isNewline } ?? false
    let line = Array(((isOpen ? "\n" : "") + "\(fingerprint) \(title.shown())\n").utf8)
    guard write(file, line, line.count) == line.count else { throw BaselineProblem() }
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

  private func text(of file: CInt) throws(BaselineProblem) -> String {
    var contents: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &part, part.count)
      guard count >= 0 else { throw BaselineProblem() }
      guard count > 0 else { return String(decoding: contents, as: UTF8.self) }
      contents += part.prefix(count)
    }
  }

  private static func fingerprints(in text: String) -> Set<String> {
    Set(
      text.split(whereSeparator: \.isNewline).compactMap {
        $0.split(whereSeparator: \.isWhitespace).first.map(String.init)
      })
  }
}

/// Why a baseline could not be read or written: what the C library said last.
struct BaselineProblem: Error {
  /// Whether there is no such file.
  let isMissing: Bool
  /// `Permission denied`.
  let reason: String

  /// The failure of the last call to the system, from `errno`.
  init() {
    isMissing = errno == ENOENT
    reason = String(cString: strerror(errno))
  }
}
