import Foundation
import TestSupport
import Testing

@Suite("The page in a browser") struct BrowserTests {
  @Test(
    "fits telephones and projectors, runs without an error, and answers its keys", .needsHeap,
    .enabled(if: Browser.installed != nil, "no browser is installed here"), arguments: [390, 1280])
  func layout(width: Int) throws {
    let browser = try #require(Browser.installed)
    let folder = try Scratch.folder()
    let page = try MemlabBinary.run(["report", "--html", "-"]).stdout
    let watched = page.replacing("<head>", with: "<head><script>\(Probe.watch)</script>")
    try Data(watched.utf8).write(to: folder.appending(path: "page.html"))
    let probe = folder.appending(path: "probe.html")
    try Data(Probe.page(width: width).utf8).write(to: probe)
    let seen = try browser.document(of: probe, profile: folder.appending(path: "profile"))
    let result = try #require(
      seen.firstMatch(of: /<pre id="result">([^<]*)<\/pre>/), "no result: \(seen.prefix(500))")
    #expect(result.1 == "width \(width)\ntexts seen\nkeys tried\n")
  }
}

/// A page that shows the report in a frame, which may be narrower than a window, and writes down
/// what is wrong with it.
private enum Probe {
  static let watch = """
    window.problems = [];
    addEventListener("error", function (event) { problems.push(event.message); });
    """

  static func page(width: Int) -> String {
    """
    <!DOCTYPE html><meta charset="utf-8">
    <pre id="result">the page was not loaded</pre>
    <iframe src="page.html" style="width:\(width)px;height:900px;border:0"></iframe>
    <script>
    onload = function () {
      var view = document.querySelector("iframe").contentWindow, page = view.document;
      var said = "";
      function say(what) { said += what + "\\n"; }
      try { \(look) } catch (error) { say(error); }
      view.problems.forEach(say);
      document.getElementById("result").textContent = said;
    };
    </script>
    """
  }

  private static let look = """
    say("width " + view.innerWidth);
    var needed = page.documentElement.scrollWidth;
    if (needed > view.innerWidth) { say("the page is " + needed + " wide"); }

    var texts = 0;
    page.querySelectorAll("svg.graph").forEach(function (picture) {
      var room = picture.viewBox.baseVal, boxes = [];
      picture.querySelectorAll("text").forEach(function (text) {
        var box = text.getBBox();
        boxes.forEach(function (other) {
          // A line reaches a little over the next one without its letters touching.
          if (box.x < other.x + other.width && other.x < box.x + box.width
            && box.y + 3 < other.y + other.height && other.y + 3 < box.y + box.height) {
            say("overlaps: " + text.textContent);
          }
        });
        boxes.push(box);
        texts += 1;
        var frame = text.parentNode.querySelector("rect");
        var limit = frame ? frame.getBBox() : room;
        if (box.x < limit.x || box.x + box.width > limit.x + limit.width
          || box.y < limit.y || box.y + box.height > limit.y + limit.height) {
          say("sticks out: " + text.textContent);
        }
      });
    });
    if (texts > 100) { say("texts seen"); }

    function press(key) {
      (page.activeElement || page.body).dispatchEvent(
        new view.KeyboardEvent("keydown", { key: key, bubbles: true, cancelable: true }));
    }
    function expect(key, id) {
      press(key);
      var at = page.activeElement.id;
      if (at !== id) { say(key + " leads to '" + at + "', not '" + id + "'"); }
    }
    var first = page.querySelectorAll(".scenario")[0].id;
    var second = page.querySelectorAll(".scenario")[1].id;
    var endings = page.querySelectorAll(".ending");
    expect("j", "matrix");
    expect("j", first);
    expect("ArrowRight", second);
    expect("ArrowLeft", first);
    expect("n", endings[0].id);
    expect("n", endings[1].id);
    expect("p", endings[0].id);
    expect("k", first);
    expect("m", "matrix");
    expect("k", "matrix");
    press("?");
    if (!page.getElementById("keys").open) { say("? does not help"); }
    press("?");
    if (page.getElementById("keys").open) { say("? does not close the help"); }
    press("t");
    if (!page.getElementById("theme-light").checked) { say("t does not change colours"); }
    var paper = view.getComputedStyle(page.documentElement).backgroundColor;
    press("t");
    if (view.getComputedStyle(page.documentElement).backgroundColor === paper) {
      say("dark is as light as light");
    }
    say("keys tried");
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
