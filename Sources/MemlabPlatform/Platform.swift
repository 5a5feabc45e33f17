// What differs between platforms: the C library, the part of Foundation that needs no other library,
// and what the C library does under another type. Every room that needs one of these imports this
// one, so that there are no conditions elsewhere.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif
#if canImport(FoundationEssentials)
  @_exported public import FoundationEssentials
#else
  @_exported public import Foundation
#endif

/// What the C library does, where its name alone would mean something else in the code that calls
/// it, or where its types differ.
package enum CLibrary {
  /// `write(2)`.
  ///
  /// - Returns: the number of bytes that were written, or a negative number; then `errno` says why.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }

  /// `posix_spawn(3)` with another standard output, and with this process's environment.
  ///
  /// - Parameters:
  ///   - words: the file of the program, and its arguments.
  ///   - output: the descriptor that is to be its standard output.
  /// - Returns: the process's number, or a positive `errno` in `code`.
  package static func spawn(_ words: [String], output: Int32) -> (id: pid_t, code: Int32) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    let environment = ProcessInfo.processInfo.environment
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for copy in arguments + variables { free(copy) } }
    var id = pid_t()
    let code = posix_spawn(&id, words[0], &actions, nil, arguments, variables)
    return (id, code)
  }
}

/// The file of the program that runs.
package enum OwnProgram {
  /// Its path, as a program can be started by it; nil where the platform does not tell.
  package static var path: String? {
    #if os(Linux)
      "/proc/self/exe"
    #else
      Bundle.main.executablePath
    #endif
  }
}
