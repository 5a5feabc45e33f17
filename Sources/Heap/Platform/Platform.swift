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

extension JSONEncoder {
  /// An encoder that writes equal values as equal bytes, in lines for a reader.
  package static var stable: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}

/// An object of a JSON document, as a literal: what is nil is left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int? = nil

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let members: [(name: String, value: any Encodable)]

  /// Takes the members of a literal.
  package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    self.members = members.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Writes the members.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
  }
}

// Outside of types, the name means the C library's function.
private func writeOnce(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// What the C library does, where its name alone would mean something else in the code that calls
/// it, or where its types differ.
package enum CLibrary {
  /// `write(2)`.
  ///
  /// - Returns: the number of bytes that were written, or a negative number; then `errno` says why.
  package static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    writeOnce(descriptor, bytes, count)
  }

  /// Writes all of some bytes.
  ///
  /// - Returns: false where not all of them could be written; then `errno` says why.
  package static func writeAll(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = write(descriptor, rest.baseAddress, rest.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
    }
    return true
  }

  /// `posix_spawn(3)`.
  ///
  /// - Parameters:
  ///   - words: what the program is called by, and its arguments.
  ///   - file: the program's file; nil where it is called by that.
  ///   - environment: its environment.
  ///   - output: the descriptor that is to be its standard output; nil for that of this process.
  ///   - endsOnFailedWrites: whether it gets the defaults for the signals of writes, which memlab ignores.
  /// - Returns: the process's number, or a positive `errno` in `code`.
  package static func spawn(
    _ words: [String], file: String? = nil,
    environment: [String: String] = ProcessInfo.processInfo.environment, output: Int32? = nil,
    endsOnFailedWrites: Bool = false
  ) -> (id: pid_t, code: Int32) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let output { posix_spawn_file_actions_adddup2(&actions, output, 1) }
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if endsOnFailedWrites {
      var signals = sigset_t()
      sigemptyset(&signals)
      for number in SystemCalls.signalsOfWrites { sigaddset(&signals, number) }
      posix_spawnattr_setsigdefault(&attributes, &signals)
      posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    }
    var id = pid_t()
    let code = withStrings(words, environment) {
      posix_spawn(&id, file ?? words[0], &actions, &attributes, $0, $1)
    }
    return (id, code)
  }

  /// Calls `body` with words and an environment as C has them: texts, and a null behind them.
  package static func withStrings(
    _ words: [String], _ environment: [String: String],
    _ body: ([UnsafeMutablePointer<CChar>?], [UnsafeMutablePointer<CChar>?]) -> Int32
  ) -> Int32 {
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for copy in arguments + variables { free(copy) } }
    return body(arguments, variables)
  }

  /// A socket for connections on this machine; negative when there can be none.
  package static func streamSocket() -> Int32 {
    #if canImport(Darwin)
      socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
  }

  /// How long the machine has been on, in hundredths of a second; zero where nothing is compared with it.
  package static var hundredthsSinceBoot: Int {
    #if os(Linux)
      var time = timespec()
      clock_gettime(CLOCK_BOOTTIME, &time)
      return time.tv_sec * 100 + time.tv_nsec / 10_000_000
    #else
      return 0
    #endif
  }

  /// Ends both directions of a connection, which stays open.
  package static func endConnection(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }

  // Read by a signal handler; set before there is one, and never again.
  private nonisolated(unsafe) static var receiver: pid_t = 0

  /// Passes some signals on to a process when another one sends them, and not the kernel, as for a key
  /// on a terminal.
  package static func passOn(_ signals: [Int32], to process: pid_t) {
    receiver = process
    func handler(
      _ number: Int32, _ info: UnsafeMutablePointer<siginfo_t>?, _: UnsafeMutableRawPointer?
    ) {
      // On Linux what the kernel sends by itself has a positive code.
      guard info?.pointee.si_code ?? 0 <= 0, kill(CLibrary.receiver, number) != 0 else { return }
      // The process has ended, and nobody else takes the signal.
      signal(number, SIG_DFL)
      raise(number)
    }
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_sigaction = handler
    #else
      action.__sigaction_handler.sa_sigaction = handler
    #endif
    action.sa_flags = SA_SIGINFO | SA_RESTART
    for number in signals { sigaction(number, &action, nil) }
  }
}

/// The program that runs.
package enum OwnProgram {
  /// The number of the processor that it is for, in the headers of ELF files.
  package static var elfMachine: UInt16 {
    #if arch(x86_64)
      62
    #else
      183
    #endif
  }

  /// The path of its file, as a program can be started by it; nil where the platform does not tell.
  package static var path: String? {
    #if os(Linux)
      "/proc/self/exe"
    #else
      Bundle.main.executablePath
    #endif
  }

  /// What was typed after its name; nil where that cannot be read.
  ///
  /// On Linux, Swift reads it from `/proc/self/cmdline`, and finds nothing where `/proc` is not mounted.
  /// Source: stdlib/public/CommandLineSupport/CommandLine.cpp in the Swift repository.
  package static var words: [String]? {
    let arguments = CommandLine.arguments
    return arguments.isEmpty ? nil : Array(arguments.dropFirst())
  }
}

/// A thread of the operating system that runs one closure.
///
/// It has to be joined or detached once, or it keeps its stack when it has ended.
package struct SystemThread {
  private let handle: pthread_t

  /// Starts a thread; nil when the system makes no more.
  ///
  /// - Parameters:
  ///   - stackSize: in bytes; the system's own choice when nil.
  ///   - body: what it runs.
  package init?(stackSize: Int? = nil, _ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
      var handle: pthread_t?
    #else
      var handle = pthread_t()
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
    let code = pthread_create(
      &handle, &attributes,
      { box in
        let body: UnsafeMutableRawPointer? = box
        Unmanaged<Body>.fromOpaque(body!).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    let started: pthread_t? = handle
    guard code == 0, let started else {
      box.release()
      return nil
    }
    self.handle = started
  }

  /// Waits until the closure has returned.
  package func join() { pthread_join(handle, nil) }

  /// Lets the thread end by itself.
  package func detach() { pthread_detach(handle) }

  private final class Body {
    let run: @Sendable () -> Void
    init(run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
