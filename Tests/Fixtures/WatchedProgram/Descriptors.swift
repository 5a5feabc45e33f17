import Foundation

/// The descriptors of the program, and of a process that it forks.
enum Descriptors {
  private typealias Fork = @convention(c) () -> pid_t

  /// How many sockets the program has open, and how many a process that it forks.
  static func countSockets() -> [Int] {
    // Swift has no name for it, because the copy of a program with threads may do very little.
    guard let symbol = dlsym(nil, "fork") else { return [] }
    let id = unsafeBitCast(symbol, to: Fork.self)()
    if id == 0 { _exit(Int32(sockets())) }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return [sockets(), Int(status >> 8 & 0xFF)]
  }

  private static func sockets() -> Int {
    var (count, file) = (0, stat())
    for descriptor: Int32 in 0..<1024
    where fstat(descriptor, &file) == 0 && file.st_mode & S_IFMT == S_IFSOCK { count += 1 }
    return count
  }
}
