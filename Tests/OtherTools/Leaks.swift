// Leaks of memlab's scenarios without memlab, for tools that look at a whole process:
//
//   Leaks <pattern> <dropped|kept>
//
// `kept` holds what the events come from until the process ends, as an app does; `dropped` lets go
// of it. Either way, what is under study has leaked when the program ends.

import Dispatch
import Glibc

/// Whatever an app holds for as long as it runs.
nonisolated(unsafe) var appWide: [AnyObject] = []

/// The pattern of 'memlab strong-self': the forwarding task captures self.
enum StrongSelf {
  final class Repository: Sendable {
    let changes: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    init() { (changes, continuation) = AsyncStream.makeStream() }
  }

  final class UseCase: Sendable {
    private let repository: Repository
    init(_ repository: Repository) { self.repository = repository }

    func forward() { Task { for await change in self.repository.changes { print(change) } } }
  }

  static func leak(keepsSource: Bool) {
    let repository = Repository()
    if keepsSource { appWide.append(repository) }
    UseCase(repository).forward()
  }
}

/// The pattern of 'memlab sink-strong-self': an object owns a subscription whose closure captures
/// it. Events come from a subject, which knows its subscribers.
enum SinkStrongSelf {
  final class Subject { var receivers: [(Int) -> Void] = [] }

  final class Clock {
    private var receive: ((Int) -> Void)?
    private var ticks = 0

    init(_ subject: Subject) {
      let receive = { self.ticks += $0 }
      self.receive = receive
      subject.receivers.append(receive)
    }
  }

  static func leak(keepsSource: Bool) {
    let subject = Subject()
    if keepsSource { appWide.append(subject) }
    _ = Clock(subject)
  }
}

/// The pattern of 'memlab retain-cycle': two objects hold each other, and wait for nothing.
enum RetainCycle {
  final class Planet { var moon: Moon? }
  final class Moon { var planet: Planet? }

  static func leak() {
    let (planet, moon) = (Planet(), Moon())
    planet.moon = moon
    moon.planet = planet
  }
}

/// The pattern of 'memlab abandoned-continuation': the one who should resume it never does.
enum AbandonedContinuation {
  final class Server: @unchecked Sendable { var waiting: CheckedContinuation<Void, Never>? }

  final class Download: Sendable {
    private let server: Server
    init(from server: Server) { self.server = server }
    func answer() async { await withCheckedContinuation { server.waiting = $0 } }
  }

  static func leak(keepsSource: Bool) {
    let server = Server()
    if keepsSource { appWide.append(server) }
    let download = Download(from: server)
    Task { await download.answer() }
  }
}

func leak(_ pattern: String, keepsSource: Bool) {
  switch pattern {
  case "strong-self": StrongSelf.leak(keepsSource: keepsSource)
  case "sink-strong-self": SinkStrongSelf.leak(keepsSource: keepsSource)
  case "retain-cycle": RetainCycle.leak()
  case "abandoned-continuation": AbandonedContinuation.leak(keepsSource: keepsSource)
  default: fatalError("no such pattern: \(pattern)")
  }
}

/// Leaks on a thread that ends, and its stack with it: what calls leave there counts as references.
func leakOnAnotherThread() {
  var thread = pthread_t()
  pthread_create(
    &thread, nil,
    { _ in
      leak(CommandLine.arguments[1], keepsSource: CommandLine.arguments[2] == "kept")
      return nil
    }, nil)
  pthread_join(thread, nil)
}

/// Gives every thread of the pool a task that fills the thread's queue with others.
///
/// What was enqueued before them has run by then. And libdispatch keeps what it enqueued jobs with,
/// a list for each thread, and does not wipe it: through this list alone LeakSanitizer and valgrind
/// would still find the task that leaks. The new tasks are enqueued with what is on the list.
func useThePool() {
  let width = sysconf(Int32(_SC_NPROCESSORS_ONLN))
  let (begun, done) = (DispatchGroup(), DispatchGroup())
  for _ in 0..<width { begun.enter() }
  for _ in 0..<width {
    done.enter()
    Task.detached {
      begun.leave()
      meet(begun)
      for _ in 0..<100 {
        done.enter()
        Task.detached { done.leave() }
      }
      done.leave()
    }
  }
  done.wait()
}

/// Blocks the thread, so that the next task is given to another one.
func meet(_ others: DispatchGroup) { others.wait() }

@main enum Main {
  // Synchronous: an asynchronous main ends its first thread in libdispatch's `sigsuspend`, on which
  // valgrind 3.19 crashes.
  static func main() {
    leakOnAnotherThread()
    useThePool()
  }
}
