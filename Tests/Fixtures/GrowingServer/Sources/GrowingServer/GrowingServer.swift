import Foundation
import Hummingbird
import Logging
import NIOCore

/// A newspaper's server: `GrowingServer [--port 8080] [--fixed]`.
@main
enum GrowingServer {
  static func main() async throws {
    // Each event loop makes buffers at its first connection. With one, the first request makes all.
    NIOSingletons.groupLoopCountSuggestion = 1
    let isFixed = CommandLine.arguments.contains("--fixed")
    let newsroom = Newsroom()
    // snippet:routes
    let router = Router()
    router.get("hello") { _, _ in "hello\n" }
    router.get("front") { _, _ -> String in
      let page: any Page = isFixed ? PoliteFrontPage(of: newsroom) : FrontPage(of: newsroom)
      return page.text
    }
    router.get("login") { _, _ -> String in
      "session \(Sessions.shared.begin(for: "a reader", limit: isFixed ? 100 : nil))\n"
    }
    // snippet:end
    var logger = Logger(label: "GrowingServer")
    logger.logLevel = .error
    let server = Application(
      router: router,
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        say("process \(getpid()) serves port \(channel.localAddress?.port ?? 0)")
      }, logger: logger)
    try await server.runService()
  }

  private static var port: Int {
    let words = CommandLine.arguments
    return words.firstIndex(of: "--port").flatMap { Int(words[$0 + 1]) } ?? 8080
  }

  // At once, also into a pipe.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }
}
