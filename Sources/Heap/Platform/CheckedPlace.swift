/// Where a path leads: a folder that is open, and a name in it.
///
/// Each link on the way is looked at before it is followed, and every folder is opened in the one before.
/// So what another user puts there after it was looked at is not followed. The kernel's own guard,
/// `fs.protected_symlinks`, does not see links that `realpath` resolves.
package struct CheckedPlace {
  /// The folder.
  package let folder: OpenFolder
  /// The name in it, which is no link.
  package let name: String
  /// What is there; nil where nothing is.
  let entry: stat?
  // A link of the kernel's that names no file, such as `/dev/stdout` to a pipe.
  private let isLinkToPipe: Bool

  private static let mostLinks = 40

  /// Follows a path.
  ///
  /// - Parameter user: who is going to use it.
  /// - Throws: `OutputError` where a folder on the way is missing; and where the way leads to or through
  ///   a link or a pipe of another user, in a folder that all may write or below one. To follow it would
  ///   write where that user wants, with this user's rights.
  package init(_ path: String, for user: uid_t = geteuid()) throws(OutputError) {
    func error(_ code: Int32) -> OutputError { OutputError(code: code, file: path) }
    var names = path.split(separator: "/").map(String.init)[...]
    var folder = try OpenFolder(path.hasPrefix("/") ? "/" : ".", else: error)
    var (isOpen, linksLeft) = (false, Self.mostLinks)
    // The link that the path names, which is replaced where it points to nothing.
    var link: (folder: OpenFolder, name: String)?
    while let name = names.popFirst() {
      isOpen = isOpen || folder.mayBeWrittenByAll
      let entry = folder.status(of: name)
      let kind = entry.map { $0.st_mode & S_IFMT }
      if isOpen, let entry, ![user, 0].contains(entry.st_uid), kind != S_IFREG, kind != S_IFDIR {
        throw OutputError.trap(path)
      }
      if kind == S_IFLNK {
        if names.isEmpty, link == nil { link = (folder, name) }
        linksLeft -= 1
        guard linksLeft >= 0 else { throw error(ELOOP) }
        let target = folder.target(of: name)
        if target.hasPrefix("/") { folder = try OpenFolder("/", else: error) }
        names = target.split(separator: "/").map(String.init) + names
      } else if names.isEmpty, entry != nil || link == nil {
        (self.folder, self.name, self.entry, isLinkToPipe) = (folder, name, entry, false)
        return
      } else if entry == nil {
        break
      } else {
        folder = try OpenFolder(name, in: folder, else: error)
      }
    }
    guard let link else { throw error(names.isEmpty && path.hasPrefix("/") ? EISDIR : ENOENT) }
    let end = link.folder.status(of: link.name, followsLinks: true)
    if isOpen, end != nil { throw OutputError.trap(path) }
    (self.folder, name, entry, isLinkToPipe) = (link.folder, link.name, end, end != nil)
  }

  /// Whether something else is there than a file or a folder, such as a pipe.
  package var isSpecial: Bool {
    entry.map { ![S_IFREG, S_IFDIR].contains($0.st_mode & S_IFMT) } ?? false
  }

  /// Opens what is there.
  ///
  /// - Returns: a descriptor, or a negative number; then `errno` says why.
  package func open(_ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    openat(folder.descriptor, name, flags | O_CLOEXEC | (isLinkToPipe ? 0 : O_NOFOLLOW), mode)
  }
}

/// A folder that stays open.
package final class OpenFolder {
  /// Its descriptor, for names in it alone.
  package let descriptor: Int32

  // Where the system can open a folder for that, it need not be one that the user may list. Glibc's
  // `O_PATH` is a macro that Swift does not see.
  #if os(Linux)
    private static let forNames: Int32 = 0o1000_0000
  #else
    private static let forNames = O_RDONLY
  #endif

  /// Opens a folder that is no link.
  fileprivate init(
    _ name: String, in folder: OpenFolder? = nil, else error: (Int32) -> OutputError
  ) throws(OutputError) {
    let flags = Self.forNames | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    descriptor = openat(folder?.descriptor ?? AT_FDCWD, name, flags)
    guard descriptor >= 0 else { throw error(errno) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  fileprivate var mayBeWrittenByAll: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IWOTH != 0
  }

  fileprivate func status(of name: String, followsLinks: Bool = false) -> stat? {
    var status = stat()
    let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
    return fstatat(descriptor, name, &status, flags) == 0 ? status : nil
  }

  fileprivate func target(of link: String) -> String {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(descriptor, link, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
