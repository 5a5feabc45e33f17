import MemlabCLI
import MemlabKit
import MemlabTerminalText

/// One answer of a learner, as a line of an answers file.
///
/// Encoded as one line of JSON, it is the schema `memlab.answers/1`. It has no name and no time of day.
package struct AnswerRecord: Codable, Equatable {
  /// The version of the form.
  package static let version = 1

  /// The version of this line's form.
  package private(set) var v = AnswerRecord.version
  /// What was asked: `walk/strong-self/cancel/held`, `exercise/04`, `inventory/before/3`.
  package let item: String
  /// What was answered.
  package let answer: String
  /// Whether it is right; nil where nothing is right or wrong.
  package let right: Bool?
  /// The belief that a wrong answer follows from; nil where none is known.
  package let rule: String?
  /// How long it took, in seconds; nil where that was not measured.
  package let seconds: Double?

  /// An answer to an item.
  package init(
    item: String, answer: String, right: Bool?, rule: String? = nil, seconds: Double? = nil
  ) {
    (self.item, self.answer, self.right) = (item, answer, right)
    (self.rule, self.seconds) = (rule, seconds)
  }
}

/// The learner's own file of answers, on this machine alone.
package struct AnswerLog {
  /// The file.
  let path: String

  /// The file at a path.
  package init(path: String) { self.path = path }

  /// The file in the user's folder for data; nil where there is no such folder.
  static var ofUser: AnswerLog? {
    let data = SystemCalls.environment("XDG_DATA_HOME")
    let home = SystemCalls.environment("HOME").map { $0 + "/.local/share" }
    guard let folder = [data, home].compactMap(\.self).first(where: { $0.hasPrefix("/") }) else {
      return nil
    }
    return AnswerLog(path: "\(folder)/memlab/answers.jsonl")
  }

  // Where the learner does not want it, this file stands in its place.
  private var refusal: String { path + ".off" }

  /// Whether the learner has said yes or no; nil when nobody has asked.
  var consent: Bool? {
    if access(refusal, F_OK) == 0 { return false }
    return access(path, F_OK) == 0 ? true : nil
  }

  /// Keeps what the learner has said: makes the file, or one that says no.
  ///
  /// - Throws: ``OutputError`` when that is not possible.
  func keep(consent: Bool) throws(OutputError) {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try append([], to: consent ? path : refusal)
  }

  /// Appends answers, each as one line in one write, so that two processes may do it at once.
  ///
  /// - Throws: ``OutputError`` when that is not possible, such as when the disk is full.
  package func append(_ records: [AnswerRecord]) throws(OutputError) {
    try append(records, to: path)
  }

  private func append(_ records: [AnswerRecord], to path: String) throws(OutputError) {
    let place = try CheckedPlace(path)
    let file = place.open(O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw OutputError(code: errno, file: path) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw OutputError(code: EINVAL, file: path, reason: "it is no ordinary file")
    }
    for record in records {
      let text = (try? JSONText.text(of: record)) ?? ""
      // What was cut off by a full disk must not damage this line, too.
      var last: UInt8 = 10
      _ = pread(file, &last, 1, max(0, lseek(file, 0, SEEK_END) - 1))
      var line = (last == 10 ? "" : "\n") + text + "\n"
      let count = line.withUTF8 { write(file, $0.baseAddress, $0.count) }
      guard count == line.utf8.count else {
        throw OutputError(code: count < 0 ? errno : ENOSPC, file: path)
      }
    }
  }
}

/// What is in an answers file.
struct AnswerFile {
  /// The answers, in order.
  private(set) var records: [AnswerRecord] = []
  /// How many lines are damaged.
  private(set) var damaged = 0

  /// Reads a file.
  ///
  /// - Throws: ``UnreadableFile`` when it cannot be read, or is of a later version.
  init(path: String) throws(UnreadableFile) {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw UnreadableFile(description: "\(quoted(path)) cannot be read")
    }
    for line in data.split(separator: 10) {
      struct Version: Decodable { let v: Int }
      let decoder = JSONDecoder()
      if let later = try? decoder.decode(Version.self, from: line).v, later > AnswerRecord.version {
        throw UnreadableFile(
          description: "\(quoted(path)) is of version \(later), and this memlab reads version "
            + "\(AnswerRecord.version); use a later memlab")
      }
      if let record = try? decoder.decode(AnswerRecord.self, from: line) {
        records.append(record)
      } else {
        damaged += 1
      }
    }
  }

  /// The first answer to each item: what the learner believed before being told.
  var first: [String: AnswerRecord] {
    Dictionary(records.map { ($0.item, $0) }) { first, _ in first }
  }
}

extension Session {
  /// The learner's file, where there is a learner at a terminal who wants one; asks once.
  func answerLog(for terminal: Terminal) throws(OutputError) -> AnswerLog? {
    let isAutomatic = !(SystemCalls.environment("CI") ?? "").isEmpty
    guard terminal.isInteractive, !isAutomatic, let log = AnswerLog.ofUser else { return nil }
    if log.consent == nil, SystemCalls.isTerminal(0) {
      let question =
        "memlab can keep your answers in \(log.path), for 'memlab answers'. The file has no name in "
        + "it, and nothing leaves this machine. Keep them?"
      let lines = question.wrapped(to: terminal.width - 8)
      var answer: Bool?
      while answer == nil {
        try output.write("\n" + lines.joined(separator: "\n") + " (y/n) ")
        guard let line = readLine() else { return nil }
        answer = ["y": true, "yes": true, "n": false, "no": false][line.lowercased()]
      }
      try log.keep(consent: answer == true)
    }
    return log.consent == true ? log : nil
  }

  /// Keeps answers, where the learner wants that. Where it is not possible, says so, and goes on.
  func keep(_ records: [AnswerRecord], for terminal: Terminal) throws(OutputError) {
    guard !records.isEmpty else { return }
    do { try answerLog(for: terminal)?.append(records) } catch {
      try errors.write(error.description)
    }
  }
}
