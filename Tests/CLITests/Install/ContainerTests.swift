import Foundation
import TestSupport
import Testing

/// The files that containers are made by, as far as that needs no build. `Scripts/containers.sh` runs
/// their commands in clean copies.
@Suite("What containers are made by")
struct ContainerTests {
  /// The fields of https://containers.dev/implementors/json_reference that are used, and what each
  /// is.
  private static let fields: [String: Any.Type] = [
    "$schema": String.self, "name": String.self, "image": String.self, "capAdd": [String].self,
    "securityOpt": [String].self, "updateContentCommand": String.self,
    "postCreateCommand": String.self, "postAttachCommand": String.self,
    "customizations": [String: Any].self,
  ]

  private static func devContainer() throws -> [String: Any] {
    let text = try read(".devcontainer/devcontainer.json").newlineSeparated
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
    return try #require(value as? [String: Any])
  }

  private static func read(_ path: String) throws -> String {
    try String(contentsOf: Repository.url(path), encoding: .utf8)
  }

  /// The rest of each line of the Dockerfile that begins with an instruction.
  private static func docker(_ instruction: String) throws -> [String] {
    try read("Dockerfile").newlineSeparated.filter { $0.hasPrefix(instruction + " ") }
      .map { String($0.dropFirst(instruction.count + 1)) }
  }

  @Test("the dev container has fields that there are, of the right types")
  func fields() throws {
    let file = try Self.devContainer()
    for (name, value) in file {
      switch try #require(Self.fields[name], "\(name)") {
      case is String.Type: #expect(value is String, "\(name)")
      case is [String].Type: #expect(value is [String], "\(name)")
      default: #expect(value is [String: Any], "\(name)")
      }
    }
    #expect(file["capAdd"] as? [String] == ["SYS_PTRACE"])
  }

  @Test("the dev container's commands build memlab, and end well")
  func commands() throws {
    let file = try Self.devContainer()
    #expect(file["updateContentCommand"] as? String == "swift build --product memlab")
    for name in ["postCreateCommand", "postAttachCommand"] {
      let words = try #require(file[name] as? String).split(separator: " ").map(String.init)
      #expect(words.prefix(4) == ["swift", "run", "--skip-build", "memlab"])
      let run = try MemlabBinary.run(Array(words.dropFirst(4)))
      #expect(run.exitCode == 0, "\(name): \(run.stdout)\(run.stderr)")
    }
  }

  @Test("the image has what its commands need")
  func image() throws {
    #expect(try Self.docker("FROM") == ["swift:6.3 AS build", "swift:6.3-slim"])
    #expect(try Self.docker("RUN").first == "swift build -c release --product memlab")
    #expect(try Self.docker("RUN").last == "/stage/bin/memlab doctor")
    for copy in try Self.docker("COPY") where copy.hasPrefix("--from=build /memlab/") {
      let path = String(copy.split(separator: " ")[1].dropFirst("/memlab/".count))
      #expect(FileManager.default.fileExists(atPath: Repository.url(path).path), "\(path)")
    }
    let words = try JSONDecoder().decode(
      [String].self, from: Data(try #require(Self.docker("CMD").first).utf8))
    #expect(try MemlabBinary.run(words).exitCode == 0)
  }

  @Test("both have the Swift of the README's first sentence on it")
  func version() throws {
    let image = try #require(try Self.devContainer()["image"] as? String)
    let version = try #require(image.split(separator: ":").last)
    #expect(try Self.read("README.md").contains("You need Swift \(version)"))
    #expect(try Self.docker("FROM").allSatisfy { $0.hasPrefix(image) })
  }
}
