/// What a `devcontainer.json` may have, which the containers' tools want: the names, types and values
/// of `schemas/devContainer.base.schema.json` in https://github.com/devcontainers/spec, commit c95ffee.
///
/// What the file of this project does not need is only looked at from above: the object `build` has
/// fields of its own.
enum DevContainerSchema {
  /// What kind of value a field has.
  private enum Kind {
    case text, texts, yesOrNo, object, list
    /// A command in one text, a list of words, or several commands with names.
    case command
    case oneOf([String])
    /// Several kinds are good.
    case any
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
