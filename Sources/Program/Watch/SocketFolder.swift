package import MemlabTerminalText

/// The folder in which programs that are watched have their sockets: one of the user's own.
package enum SocketFolder {
  /// Where it may be, the best place first.
  package static var candidates: [String] {
    let user = geteuid()
    let chosen = SystemCalls.environment("MEMLAB_SOCKETS").map { [$0] } ?? []
    let runtime = SystemCalls.environment("XDG_RUNTIME_DIR").map { [$0 + "/memlab"] } ?? []
    return chosen + runtime + ["/tmp", "/dev/shm", "/var/tmp"].map { "\($0)/memlab-\(user)" }
  }

  // A socket's address has 108 bytes. The name in the folder is the process's number.
  private static let longest = 108 - 1 - 11

  /// The first of the places that is the user's own, or can be made so.
  ///
  /// - Throws: ``WatchError/unwatchable(_:)`` when there is none.
  package static func make(among places: [String] = candidates) throws(WatchError) -> String {
    var problems: [String] = []
    for place in places {
      guard place.utf8.count <= longest else {
        problems.append("\(quotedPath(place)) is too long for the address of a socket")
        continue
      }
      let code = mkdir(place, 0o700) == 0 ? EEXIST : errno
      if code == EEXIST, isOwn(place), access(place, W_OK | X_OK) == 0 { return place }
      let reason =
        code == EEXIST
        ? "is not a folder of yours alone" : strerror(code).map { String(cString: $0) } ?? "error"
      problems.append("\(quotedPath(place)): \(reason)")
    }
    throw .unwatchable(
      "There is no folder for the socket of the program. Name one with MEMLAB_SOCKETS. Tried: "
        + problems.joined(separator: "; ") + ".")
  }

  /// The socket of a process; nil where it has none.
  package static func socket(of process: pid_t, among places: [String] = candidates) -> String? {
    places.filter(isOwn).map { "\($0)/\(process)" }.first { path in
      var status = stat()
      return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    }
  }

  /// The processes that have a socket, whether or not they are still there.
  package static func processes(among places: [String] = candidates) -> [pid_t] {
    places.filter(isOwn).flatMap(processes).sorted()
  }

  /// Removes the sockets of processes that were ended before they could do so themselves.
  ///
  /// The folder may be shared with a container, whose processes have other numbers here. So a socket
  /// goes only where nobody listens either.
  package static func removeAbandoned(among places: [String] = candidates) {
    for place in places where isOwn(place) {
      for process in processes(in: place) {
        guard kill(process, 0) < 0, errno == ESRCH, let path = socket(of: process, among: [place]),
          AgentConnection.isRefused(at: path)
        else { continue }
        unlink(path)
      }
    }
  }

  private static func processes(in place: String) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.compactMap { pid_t($0) }
  }

  /// Whether a folder is the user's, and nobody else may enter it. Links do not count.
  private static func isOwn(_ path: String) -> Bool {
    // With a slash behind it, the name of a link would mean what it leads to.
    var name = path[...]
    while name.count > 1, name.hasSuffix("/") || name.hasSuffix("/.") { name.removeLast() }
    var status = stat()
    guard lstat(String(name), &status) == 0 else { return false }
    return status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
      && status.st_mode & 0o077 == 0
  }
}
