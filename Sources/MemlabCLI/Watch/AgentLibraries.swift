import HeapGraph

/// The two libraries that go into a program that is watched.
struct AgentLibraries {
  /// What is preloaded.
  let agent: String
  /// What the agent opens.
  let probe: String

  /// Looks for them beside a program, and where `make install` puts them.
  ///
  /// - Throws: ``WatchError/unwatchable(_:)`` where they are not.
  init(besideProgram path: String? = OwnProgram.path) throws(WatchError) {
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
      "The libraries that watch a program are not beside memlab, in \(quotedPath(folder)). Build all of "
        + "memlab with 'swift build'.")
  }

  /// Why no program can be watched on this machine; nil where it can.
  static var obstacle: String? {
    HeapRecording.obstacle ?? (OwnProcessor.isWatchable ? nil : "only x86-64 was tried")
  }
}
