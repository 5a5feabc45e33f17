import MemlabHeapModel
import MemlabHeapReader
import MemlabRuntimeABI
package import MemlabTerminalText

/// A program that is to be watched, with what its environment must have for that.
package struct Launch {
  /// The program's file.
  package let path: String
  /// What it was called by, and its arguments.
  package let words: [String]
  /// Its environment.
  package private(set) var environment: [String: String]

  /// Finds the program, and finds out whether it can be watched.
  ///
  /// - Parameter libraries: what is preloaded where the program does not link the agent.
  /// - Throws: ``WatchError/unwatchable(_:)`` where it cannot.
  package init(
    _ words: [String], libraries: @autoclosure () throws(WatchError) -> AgentLibraries,
    folder: String, environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws(WatchError) {
    if let obstacle = HeapRecording.obstacle {
      throw .unwatchable("Programs cannot be watched here: \(obstacle).")
    }
    path = try Self.find(words[0], in: environment["PATH"] ?? "/usr/bin:/bin")
    let file = try Self.file(path, named: words[0])
    (self.words, self.environment) = (words, environment)
    self.environment["MEMLAB_DIRECTORY"] = folder
    if !file.linksAgent { try preload(libraries()) }
  }

  /// Names the program's functions after a file.
  ///
  /// - Parameter file: the program before it was stripped.
  /// - Throws: ``WatchError/unwatchable(_:)`` where it is not.
  package mutating func nameFunctions(from file: String) throws(WatchError) {
    guard access(file, R_OK) == 0 else { throw Self.unreadable(file) }
    guard ElfFile.isUnstripped(file, of: path) else {
      throw .unwatchable(
        "\(quotedPath(file)) is not \(quotedPath(words[0])) before it was stripped: their code is "
          + "not the same. Name the file that 'strip' was given, or that was built without '-s'.")
    }
    environment["MEMLAB_SYMBOLS"] = file
  }

  /// Gives each frame of a task a block of its own, where the program's runtime knows how.
  package mutating func separateFrames() { environment[RuntimeTable.slabSwitch] = "0" }

  private mutating func preload(_ libraries: AgentLibraries) throws(WatchError) {
    guard !libraries.agent.contains(where: { " :".contains($0) }) else {
      throw .unwatchable(
        "The path \(quotedPath(libraries.agent)) has a space or a colon, which the loader takes "
          + "for two paths. Move memlab to another folder.")
    }
    let before = environment["LD_PRELOAD"].flatMap { $0.isEmpty ? nil : $0 }
    let preloaded = before?.split { " :".contains($0) }.map(String.init) ?? []
    if let other = ProgramFile.allocator(among: preloaded) {
      throw .unwatchable(
        "LD_PRELOAD has another allocator, \(quotedPath(other)). Its blocks cannot be recorded; "
          + "take it out while the program is watched.")
    }
    environment["LD_PRELOAD"] = libraries.agent + (before.map { ":" + $0 } ?? "")
    environment["MEMLAB_PRELOAD"] = before
    environment["MEMLAB_PROBE"] = libraries.probe
  }

  private static func find(_ name: String, in path: String) throws(WatchError) -> String {
    if name.contains("/") { return name }
    for folder in path.split(separator: ":", omittingEmptySubsequences: false) {
      let file = (folder.isEmpty ? "." : folder) + "/" + name
      if access(file, X_OK) == 0, !isFolder(file) { return file }
    }
    throw .unwatchable("There is no program \(quotedPath(name)) in the folders of PATH.")
  }

  private static func isFolder(_ path: String) -> Bool {
    SystemCalls.status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  private static func file(_ path: String, named name: String) throws(WatchError) -> ProgramFile {
    guard let mode = SystemCalls.status(of: path)?.st_mode else { throw failure(errno, name) }
    guard !isFolder(path), access(path, X_OK) == 0 else {
      throw .unwatchable("\(quotedPath(name)) is no file that can be executed.")
    }
    guard mode & (S_ISUID | S_ISGID) == 0 else {
      throw .unwatchable(
        "\(quotedPath(name)) runs with other rights than yours, so it cannot be watched.")
    }
    let file: ProgramFile
    do { file = try ProgramFile(path: path) } catch .script {
      throw .unwatchable("\(quotedPath(name)) is a script. Name the program that it starts.")
    } catch .unreadable {
      throw unreadable(name)
    } catch {
      throw .unwatchable("\(quotedPath(name)) is no program for Linux with 64 bits.")
    }
    if let obstacle = file.obstacle(machine: OwnProgram.elfMachine) {
      throw .unwatchable("\(quotedPath(name)) \(obstacle).")
    }
    return file
  }

  /// Becomes the program. So its number, its signals and its exit code are its own.
  ///
  /// - Throws: ``WatchError/unwatchable(_:)`` when the kernel refuses.
  package func replaceThisProcess() throws(WatchError) -> Never {
    for number in SystemCalls.signalsOfWrites { signal(number, SIG_DFL) }
    _ = CLibrary.withStrings(words, environment) { execve(path, $0, $1) }
    throw Self.failure(errno, words[0])
  }

  /// Starts the program as a child.
  ///
  /// - Parameters:
  ///   - ready: a descriptor that the agent writes a byte to before the program's `main`.
  ///   - atExit: whether `main` waits until somebody has asked to be told of the program's end.
  /// - Returns: its number.
  /// - Throws: ``WatchError/unwatchable(_:)`` when the kernel refuses.
  package func start(ready: Int32, atExit: Bool) throws(WatchError) -> pid_t {
    var environment = environment
    environment["MEMLAB_READY"] = "\(ready)"
    if atExit { environment["MEMLAB_AT_EXIT"] = "1" }
    let (id, code) = CLibrary.spawn(
      words, file: path, environment: environment, endsOnFailedWrites: true)
    guard code == 0 else { throw Self.failure(code, words[0]) }
    return id
  }

  private static func failure(_ code: Int32, _ name: String) -> WatchError {
    let reason = String(cString: strerror(code))
    return .unwatchable("The program \(quotedPath(name)) cannot be started: \(reason).")
  }

  private static func unreadable(_ file: String) -> WatchError {
    .unwatchable("The file \(quotedPath(file)) cannot be read.")
  }
}

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
    let own = path.flatMap(SystemCalls.realPath) ?? ""
    let folder = own.split(separator: "/").dropLast().map { "/" + $0 }.joined()
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
