import MemlabCLI
import MemlabPlatform
import MemlabTerminalText
import MemlabWatch

/// `memlab baseline <file> <summary> …`: a file of known leaks beside what LeakCheck has found.
enum BaselineCommand: Command {
  /// What is read of a summary.
  private struct Summary: Decodable {
    struct Leak: Decodable {
      let fingerprint, title: String
      let tests: [String]
    }

    let leaks: [Leak]
  }

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    let file = BaselineFile(path: invocation.positionals[0])
    let known: [BaselineFile.Entry]
    do { known = try file.entries() } catch {
      throw invocation.usageError("The baseline \(quotedPath(file.path)) cannot be used: \(error).")
    }
    let found = try invocation.positionals.dropFirst().flatMap(Self.leaks)
    let names = Set(known.map(\.fingerprint))
    let new = found.filter { !names.contains($0.fingerprint) }
    let isThere = Set(found.map(\.fingerprint))
    let gone = known.filter { !isThere.contains($0.fingerprint) }
    let removes = invocation.flag("remove-gone")
    if removes, !gone.isEmpty { try file.remove(gone) }
    let lines =
      known.map { entry in
        let isGone = !isThere.contains(entry.fingerprint)
        let end = entry.test.map { ", in \($0)" } ?? ""
        let mark =
          isGone ? StyledText(removes ? "removed " : "gone    ", .leaked) : StyledText("known   ")
        return mark + "line \(entry.line): \(entry.title)\(end)"
          + StyledText(entry.reason.map { " # \($0)" } ?? "", .dim)
          + (isGone && !removes ? ": remove the line" : "")
      }
      + new.map { leak in
        StyledText("new     ", .leaked)
          + StyledText("\(leak.fingerprint) \(leak.title), in \(leak.tests.first ?? "no test")")
      }
    let width = session.terminal(for: invocation).width
    try session.write(lines.flatMap { $0.foldedIfNarrow(to: width) }, for: invocation)
    return new.isEmpty && (gone.isEmpty || removes) ? .success : .unexpected
  }

  private static func leaks(in path: String) throws -> [Summary.Leak] {
    guard let data = try? Data(contentsOf: URL(filePath: path)),
      let summary = try? JSONDecoder().decode(Summary.self, from: data)
    else {
      throw WatchError.unfit(
        "The file \(quotedPath(path)) is no summary. LEAKCHECK_FORMAT=json LEAKCHECK_OUTPUT=leaks.json "
          + "writes one.")
    }
    return summary.leaks
  }
}
