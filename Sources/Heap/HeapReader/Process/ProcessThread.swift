import Glibc
import MemlabRuntimeABI
import Synchronization

/// What the kernel says of one of the process's threads.
package struct ProcessThread {
  /// The kernel's number for it.
  package let id: Int
  /// Where its stack ends; nil while it runs, 0 when it has ended, and nil for what is not known.
  let stackPointer: UInt?
  // What the kernel says of its system call, stack and place in the code.
  fileprivate let wait: String
  private let call: Int
  private let arguments: [UInt]

  /// Asks the kernel.
  package init(id: Int) {
    self.id = id
    // "35 0x7f… 0x0 0x0 0x0 0x0 0x0 0x7ffd… 0x7f…": a system call's number, its arguments, the stack
    // pointer and the next instruction. Of a thread that runs it is "running".
    wait = ProcessFiles.text("/proc/self/task/\(id)/syscall")
    let words = wait.split(whereSeparator: \.isWhitespace)
    let numbers = words.dropFirst().compactMap { UInt($0.dropFirst(2), radix: 16) }
    call = words.first.flatMap { Int($0) } ?? -1
    arguments = Array(numbers.dropLast(2))
    stackPointer = numbers.dropLast().last
  }

  /// The process's threads.
  static func all() -> [ProcessThread] {
    ProcessFiles.threads().compactMap { Int($0).map(ProcessThread.init) }
  }

  /// Gives way to the process's other threads until all of them wait in the kernel, or until it is
  /// clear that some will not: those of a pool look for work for a while before they wait for it.
  ///
  /// - Parameters:
  ///   - giveWay: lets others run; called ``maxYields`` times at most.
  ///   - limit: how long it gives way at most.
  /// - Returns: whether all of them wait.
  @discardableResult package static func letOthersComeToRest(
    givingWay giveWay: () -> Void = standAside, atMost limit: Duration = longestYielding
  ) -> Bool {
    askOthers(givingWay: giveWay, atMost: limit) { !$0.isAtRest && !$0.hasEnded }.isEmpty
  }

  /// Asks about each of the process's other threads, and again about those that are busy after they
  /// were given way.
  ///
  /// - Parameters:
  ///   - giveWay: lets others run; called ``maxYields`` times at most.
  ///   - limit: how long it gives way at most: beside other processes that compute, each time may take as
  ///     long as a slice of their time.
  ///   - isBusy: whether there is a reason to ask about a thread again.
  /// - Returns: those that are busy still.
  static func askOthers(
    givingWay giveWay: () -> Void = standAside, atMost limit: Duration,
    isBusy: (ProcessThread) -> Bool
  ) -> [ProcessThread] {
    let asking = current
    var busy = all().filter { $0.id != asking }
    let (start, known) = (ContinuousClock.now, restless.withLock(\.self))
    var turns = 0
    while turns < maxYields, ContinuousClock.now < start + limit {
      busy = busy.filter(isBusy)
      guard !known.isSuperset(of: busy.map(\.id)) else { break }
      giveWay()
      busy = busy.map { ProcessThread(id: $0.id) }
      turns += 1
    }
    busy = busy.filter(isBusy)
    let isLong = turns == maxYields || ContinuousClock.now - start >= longestYielding
    let ids = Set(busy.map(\.id))
    restless.withLock { $0 = isLong ? ids : $0.intersection(ids) }
    return busy
  }

  /// Lets other threads run, by not being there for half a millisecond.
  ///
  /// `sched_yield` is not enough on a busy machine: Linux lets a thread run that has used little of its
  /// time, which is one that yields, before one that was interrupted.
  package static let standAside: @Sendable () -> Void = { usleep(500) }

  /// How often the other threads are given way before they count as busy for good.
  package static let maxYields = 300

  /// For how long they are given way at most.
  package static let longestYielding = Duration.milliseconds(200)

  // The threads that have run all the time when they were given way last. They will again, and are
  // stopped: many looks beside a thread that computes are not to take a fifth of a second each.
  private static let restless = Mutex<Set<Int>>([])

  /// The calling thread's number.
  package static var current: Int {
    Int(lastComponent(of: ProcessFiles.target(ofLink: "/proc/thread-self"))) ?? 0
  }

  /// The name that somebody has given it; nil when it has that of the first thread, or of one of
  /// libdispatch's, whose names are cut off and are no queue's.
  package var name: String? { isWorker ? nil : systemName }

  /// The name that the system knows it by; nil when it is that of the first thread.
  var systemName: String? {
    let name = ProcessFiles.text("/proc/self/task/\(id)/comm").split(separator: "\n").first
    let first = ProcessFiles.text("/proc/self/comm").split(separator: "\n").first
    return name == first ? nil : name.map(String.init)
  }

  /// Whether it serves libdispatch's queues, after which it is named, as far as a name is long:
  /// `oot.default-qos`. It calls one thing after the other, and what stands on its stack is not
  /// what it is for.
  var isWorker: Bool { systemName?.contains(abi.libraries.workerThread) == true }

  /// Whether it has ended, and waits for the process to, or is gone.
  package var hasEnded: Bool {
    stackPointer == 0 || wait.isEmpty && access("/proc/self/task/\(id)", F_OK) != 0
  }

  /// Whether it has asked the kernel for something and waits for the answer.
  package var isAtRest: Bool { stackPointer != nil && call >= 0 }

  /// Whether it is a loop that waits for events, as of descriptors, timers and signals. Such a loop
  /// keeps in tables what it will call.
  var isEventLoop: Bool {
    // `poll` without descriptors is a way to sleep.
    Self.waits.contains(call) || Self.polls.contains(call) && arguments.dropFirst().first ?? 0 > 0
  }

  /// Whether it is the process's first thread, in such a loop. What may wake it is asked about by itself.
  var isMainLoop: Bool { isEventLoop && id == Int(getpid()) }

  /// The address on which it waits for another thread to wake it; nil while it waits for something
  /// else.
  var futex: UInt? { call == Self.futexCall ? arguments.first : nil }

  /// That address where only another thread can wake it: neither does it wait for a time, nor for a lock's
  /// owner. The second argument is what is asked, `FUTEX_WAIT` or `FUTEX_WAIT_BITSET`, the fourth the time:
  /// `man 2 futex`.
  var futexWithoutLimit: UInt? {
    guard let futex, arguments.count > 3, arguments[3] == 0 else { return nil }
    return [0, 9].contains(arguments[1] & 0x7F) ? futex : nil
  }

  // Glibc's names for the numbers are macros that Swift does not see: `epoll_wait`, `epoll_pwait`,
  // `epoll_pwait2`, `rt_sigsuspend`, where `dispatch_main()` leaves the first thread; `poll`, `ppoll`.
  #if arch(x86_64)
    private static let waits: Set = [232, 281, 441, 130]
    private static let polls: Set = [7, 271]
    private static let futexCall = 202
  #else
    private static let waits: Set = [22, 441, 133]
    private static let polls: Set = [73]
    private static let futexCall = 98
  #endif
}

/// The threads other than the calling one, at a moment when all of them waited in the kernel. Where this
/// is the same at two moments, none of them has run in between, and memory was not changed.
package struct ThreadsAtRest: Equatable {
  private struct Wait: Equatable {
    // How often the kernel has let it run.
    var turns: Int
    // The system call, with the place in the code.
    let call: String
  }
  // By the kernel's number.
  private var waits: [Int: Wait] = [:]

  /// Those of now; nil where one runs, and where the kernel does not tell.
  package init?() {
    let asking = ProcessThread.current
    for id in ProcessFiles.threads().compactMap({ Int($0) }) where id != asking {
      let times = ProcessFiles.text("/proc/self/task/\(id)/schedstat")
      // Asked last: what has run meanwhile will have had another turn.
      let thread = ProcessThread(id: id)
      guard let turns = times.split(whereSeparator: \.isWhitespace).last.flatMap({ Int($0) }),
        thread.isAtRest
      else { return nil }
      waits[id] = Wait(turns: turns, call: thread.wait)
    }
  }

  /// Expects that some threads have been stopped once since: the kernel lets each of them run twice, to
  /// stop and to wait again where it has waited.
  package mutating func noteStop(of threads: [ProcessThread]) {
    for thread in threads { waits[thread.id]?.turns += 2 }
  }
}
