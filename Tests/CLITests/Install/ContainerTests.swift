import Foundation
import TestSupport
import Testing

/// The files that containers are made by, as far as that needs no build. `Scripts/containers.sh` runs
/// their commands in clean copies.
@Suite("What containers are made by") struct ContainerTests {
  private static func devContainer() throws -> [String: Any] {
    try Repository.text(".devcontainer/devcontainer.json").newlineSeparated
      .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n").jsonObject()
  }

  /// The rest of each line of the Dockerfile that begins with an instruction.
  private static func docker(_ instruction: String) throws -> [String] {
    try Repository.text("Dockerfile").newlineSeparated.filter { $0.hasPrefix(instruction + " ") }
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
    let bases = try Self.docker("FROM")
    #expect(bases.count == 2)
    for base in bases {
      #expect(base.contains(/^swift:6\.3\.\d+(-slim)?@sha256:[0-9a-f]{64}( AS build)?$/), "\(base)")
    }
    #expect(
      try Self.docker("RUN") == [
        "DESTDIR=/stage Scripts/install.sh install", "/stage/usr/local/bin/memlab doctor",
      ])
    #expect(try Self.docker("COPY").contains("--from=build /stage/usr/local /usr/local"))
    #expect(try Self.docker("USER") == ["1000:1000"])
    for copy in try Self.docker("COPY") where copy.hasPrefix("--from=build /memlab/") {
      let path = String(copy.split(separator: " ")[1].dropFirst("/memlab/".count))
      #expect(FileManager.default.fileExists(atPath: Repository.url(path).path), "\(path)")
    }
    let words = try #require(try Self.docker("CMD").first).decoded(as: [String].self)
    #expect(try MemlabBinary.run(words).exitCode == 0)
  }

  // Except the newest snapshot, whose job is there to notice what changes.
  @Test(
    "what hosted jobs run is named by its hash",
    arguments: ["workflows/ci.yml", "workflows/pages.yml", "classroom.yml"])
  func pinned(_ path: String) throws {
    let names = try Repository.text(".github/" + path)
      .matches(of: /(?:uses:| swift:)\s?(\S+)/).map(\.1)
    #expect(names.count >= 2)
    for name in names { #expect(name.contains(/@([0-9a-f]{40}|sha256:[0-9a-f]{64})$/), "\(name)") }
  }

  @Test("both have the Swift of the README's first sentence on it") func version() throws {
    let image = try #require(try Self.devContainer()["image"] as? String)
    let version = try #require(image.split(separator: ":").last)
    #expect(try Repository.text("README.md").contains("You need Swift \(version)"))
    #expect(try Self.docker("FROM").allSatisfy { $0.hasPrefix(image) })
  }
}

/// What a `devcontainer.json` may have, which the containers' tools want: the names, types and values
/// of `schemas/devContainer.base.schema.json` in https://github.com/devcontainers/spec, commit c95ffee.
///
/// What the file of this project does not need is only looked at from above: the object `build` has
/// fields of its own.
enum DevContainerSchema {
  /// What kind of value a field has.
  private enum Kind {
    // A command is one text, a list of words, or several commands with names.
    case text, texts, yesOrNo, object, list, command, any
    case oneOf([String])
  }

  private static let steps = [
    "initializeCommand", "onCreateCommand", "updateContentCommand", "postCreateCommand",
    "postStartCommand",
  ]

  private static let fields: [String: Kind] = [
    "$schema": .text, "name": .text, "features": .object, "overrideFeatureInstallOrder": .texts,
    "secrets": .object, "forwardPorts": .list, "portsAttributes": .object,
    "otherPortsAttributes": .object, "updateRemoteUserUID": .yesOrNo, "containerEnv": .object,
    "containerUser": .text, "mounts": .list, "init": .yesOrNo, "privileged": .yesOrNo,
    "capAdd": .texts, "securityOpt": .texts, "remoteEnv": .object, "remoteUser": .text,
    "initializeCommand": .command, "onCreateCommand": .command, "updateContentCommand": .command,
    "postCreateCommand": .command, "postStartCommand": .command, "postAttachCommand": .command,
    "waitFor": .oneOf(steps),
    "userEnvProbe": .oneOf(["none", "loginShell", "loginInteractiveShell", "interactiveShell"]),
    "hostRequirements": .object, "customizations": .object, "additionalProperties": .object,
    "image": .text, "appPort": .any, "runArgs": .texts,
    "shutdownAction": .oneOf(["none", "stopContainer"]), "overrideCommand": .yesOrNo,
    "workspaceFolder": .text, "workspaceMount": .text,
  ]

  /// Ways to say what the container is, of which a file has one. This project's needs no other.
  private static let origins = ["image", "build", "dockerFile", "dockerComposeFile"]

  /// What is wrong with a file; nothing where it is good.
  static func faults(in file: [String: Any]) -> [String] {
    let named = origins.filter { file[$0] != nil }
    let origin = named == ["image"] ? [] : ["has \(named), not an image"]
    let unfit = file.compactMap { name, value -> String? in
      if named.contains(name), name != "image" { return nil }
      guard let kind = fields[name] else { return "has the unknown field '\(name)'" }
      return fits(value, kind) ? nil : "has another kind of '\(name)'"
    }
    return origin + unfit.sorted() + faults(inCustomizations: file["customizations"])
  }

  private static func fits(_ value: Any, _ kind: Kind) -> Bool {
    switch kind {
    case .text: value is String
    case .texts: value is [String]
    case .yesOrNo: value is Bool
    case .object: value is [String: Any]
    case .list: value is [Any]
    case .command: isCommand(value) || areCommands(value)
    case .oneOf(let names): names.contains { $0 == value as? String }
    case .any: true
    }
  }

  private static func isCommand(_ value: Any) -> Bool { value is String || value is [String] }

  private static func areCommands(_ value: Any) -> Bool {
    (value as? [String: Any])?.values.allSatisfy(isCommand) == true
  }

  /// Extensions have a publisher and a name, maybe with a version: `devContainer.vscode.schema.json`
  /// in `extensions/configuration-editing/schemas` of https://github.com/microsoft/vscode.
  private static func faults(inCustomizations value: Any?) -> [String] {
    guard let editor = (value as? [String: Any])?["vscode"] as? [String: Any] else { return [] }
    let extensions = editor["extensions"] as? [String]
    let name = #/[a-z0-9A-Z][a-z0-9A-Z-]*\.[a-z0-9A-Z][a-z0-9A-Z-]*(@[0-9A-Za-z.+-]+)?/#
    let unfit = (extensions ?? []).filter { $0.wholeMatch(of: name) == nil }
      .map { "has the extension '\($0)'" }
    return (extensions == nil && editor["extensions"] != nil ? ["has no list of extensions"] : [])
      + (editor["settings"] is [String: Any]? ? [] : ["has no object of settings"]) + unfit
  }
}
