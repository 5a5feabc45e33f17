import MemlabCLI
import MemlabKit
import MemlabSite
import MemlabTerminalText

/// `memlab site DIR`: the course as pages for a browser.
enum SiteCommand: Command {
  static let isOfMemlabAlone = true

  static func run(_ invocation: Invocation, in session: Session) throws -> ExitCode {
    guard let shelf = LessonShelf.find() else { throw SentenceError.noLessons }
    let subjects = session.scenarios.map { ($0, $0.endings) }
    let reels = try FilmReel.shot(subjects, invocation, in: session)
    let repository = invocation.value("repository").map {
      $0.hasSuffix("/") ? String($0.dropLast()) : $0
    }
    let folder = invocation.positionals[0]
    let site = Site(
      reels: Array(zip(session.scenarios, reels)), shelf: shelf, repository: repository,
      isBesideLeakCheck: access("\(folder)/\(Site.leakCheckPage)index.html", R_OK) == 0)
    let files = try site.files()
    for file in files {
      let path = "\(folder)/\(file.path)"
      try makeFolders(above: path)
      try WholeFile(path).write(file.text)
    }
    let size = files.reduce(0) { $0 + $1.text.utf8.count }
    try session.errors.write(
      "\(counted(files.count, "file")), \(size / 1024) KiB: open \(quotedPath("\(folder)/index.html")).\n"
    )
    return reels.exitCode
  }

  static let measuresMany = true

  /// Makes every folder on the way to a file that is not there yet.
  private static func makeFolders(above path: String) throws(OutputError) {
    if WholeFile.isTrap(path) { throw .trap(path) }
    for place in path.indices where path[place] == "/" && place > path.startIndex {
      let folder = String(path[..<place])
      guard mkdir(folder, 0o777) == 0 || errno == EEXIST else {
        throw OutputError(code: errno, file: folder)
      }
    }
  }
}
