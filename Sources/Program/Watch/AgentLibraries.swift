import MemlabTerminalText

/// The two libraries that go into a program that is watched.
package struct AgentLibraries {
  /// What is preloaded.
  package let agent: String
  /// What the agent opens.
  package let probe: String

  /// Looks for them beside a program, and where `make install` puts them.
  ///
  /// - Throws: ``WatchError/unwatchable(_:)`` where they are not.
  package init(besideProgram path: String? = OwnProgram.path) throws(WatchError) {
    let own = path.flatMap { realpath($0, nil) }.map { path in
      defer { free(path) }
      return String(cString: path)
    }
    let folder = (own ?? "").split(separator: "/").dropLast().map { "/" + $0 }.joined()
    for folder in [folder, folder + "/../lib/memlab"] {
      let (agent, probe) = (folder + "/libmemlab-agent.so", folder + "/libmemlab-probe.so")
      guard access(agent, R_OK) == 0, access(probe, R_OK) == 0 else { continue }
      (self.agent, self.probe) = (agent, probe)
      return
    }
    throw .unwatchable(
      "The libraries that watch a program are not beside memlab, in \(quotedPath(folder)). "
        + "Build all of memlab with 'swift build'.")
  }
}
