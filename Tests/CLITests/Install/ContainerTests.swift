import Foundation
import TestSupport
import Testing

/// The files that containers are made by, as far as that needs no build. `Scripts/containers.sh` runs
/// their commands in clean copies.
@Suite("What containers are made by") struct ContainerTests {
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

  @Test("the dev container is as its published schema says") func schema() throws {
    let file = try Self.devContainer()
    #expect(DevContainerSchema.faults(in: file) == [])
    #expect(file["capAdd"] as? [String] == ["SYS_PTRACE"])
    #expect(
      (file["customizations"] as? [String: [String: Any]])?["vscode"]?["extensions"] as? [String]
        == ["swiftlang.swift-vscode"])
  }

  // Each of these is refused by the schema itself, too.
  @Test("a dev container that the schema refuses is noticed") func faults() throws {
    let wrong: [(field: String, value: Any?)] = [
      ("postCreateComand", "swift build"), ("image", nil), ("image", 6.3),
      ("capAdd", "SYS_PTRACE"), ("updateContentCommand", 1), ("waitFor", "postAttachCommand"),
      ("dockerComposeFile", "compose.yml"), ("name", ["memlab"]), ("customizations", "vscode"),
      ("customizations", ["vscode": ["extensions": ["swift"]]]),
      ("customizations", ["vscode": ["extensions": "swiftlang.swift-vscode"]]),
      ("customizations", ["vscode": ["settings": "lldb"]]),
    ]
    for fault in wrong {
      var file = try Self.devContainer()
      file[fault.field] = fault.value
      #expect(DevContainerSchema.faults(in: file).count == 1, "\(fault)")
    }
  }

  @Test("the dev container's commands build memlab, and end well") func commands() throws {
    let file = try Self.devContainer()
    #expect(file["updateContentCommand"] as? String == "swift build --product memlab")
    for name in ["postCreateCommand", "postAttachCommand"] {
      let words = try #require(file[name] as? String).split(separator: " ").map(String.init)
      #expect(words.prefix(4) == ["swift", "run", "--skip-build", "memlab"])
      let run = try MemlabBinary.run(Array(words.dropFirst(4)))
      #expect(run.exitCode == 0, "\(name): \(run.stdout)\(run.stderr)")
    }
  }

  @Test("the image has what its commands need") func image() throws {
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

  @Test("both have the Swift of the README's first sentence on it") func version() throws {
    let image = try #require(try Self.devContainer()["image"] as? String)
    let version = try #require(image.split(separator: ":").last)
    #expect(try Self.read("README.md").contains("You need Swift \(version)"))
    #expect(try Self.docker("FROM").allSatisfy { $0.hasPrefix(image) })
  }
}
