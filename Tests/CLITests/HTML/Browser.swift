import Foundation
import TestSupport

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
