import Foundation
import TestSupport
import Testing

@Suite("The page in a browser") struct BrowserTests {
  @Test(
    "fits telephones and projectors, runs without an error, and answers its keys", .needsHeap,
    .enabled(if: Browser.installed != nil, "no browser is installed here"), arguments: [390, 1280])
  func layout(width: Int) throws {
    let browser = try #require(Browser.installed)
    let (folder, page) = try (Scratch.folder(), MemlabBinary.run(["report", "--html", "-"]).stdout)
    let watched = page.replacing("<head>", with: "<head><script>\(Self.watch)</script>")
    try Scratch.write(watched, to: folder.appending(path: "page.html"))
    let source = Repository.url("Tests/Fixtures/ReportProbe/probe.html")
    let text = try String(contentsOf: source, encoding: .utf8)
    let probe = folder.appending(path: "probe.html")
    try Scratch.write(text.replacing("WIDTH", with: "\(width)"), to: probe)
    let seen = try browser.document(of: probe, profile: folder.appending(path: "profile"))
    let result = try #require(
      seen.firstMatch(of: /<pre id="result">([^<]*)<\/pre>/), "no result: \(seen.prefix(500))")
    #expect(result.1 == "width \(width)\ntexts seen\nkeys tried\n")
  }

  /// Notes the errors of the page.
  private static let watch = """
    window.problems = [];
    addEventListener("error", function (event) { problems.push(event.message); });
    """
}

/// A browser that can be run without a screen, where one is installed.
struct Browser: Sendable {
  private let program: String

  /// The browser of this machine; nil where there is none.
  static let installed: Browser? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = ["chromium", "chromium-browser", "google-chrome"]
    return names.lazy.flatMap { name in folders.map { "\($0)/\(name)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }.map(Browser.init)
  }()

  /// Opens a page and returns what has become of its elements when its scripts are done.
  func document(of page: URL, profile: URL) throws -> String {
    try Program(URL(fileURLWithPath: "/usr/bin/env")).run([
      "timeout", "100", program, "--headless", "--no-sandbox", "--disable-gpu",
      "--allow-file-access-from-files", "--virtual-time-budget=10000",
      "--user-data-dir=\(profile.path)", "--window-size=1400,1000", "--dump-dom",
      page.absoluteString,
    ]).stdout
  }
}
