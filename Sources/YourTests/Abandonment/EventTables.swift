import CMemlabProcess
import MemlabHeapModel
import MemlabHeapReader

/// What the kernel keeps for those who wait for events.
///
/// With each descriptor that an `epoll` watches goes a word for its owner, who may put an address
/// there and keep it nowhere else.
enum EventTables {
  /// The words.
  static func words() -> [UInt] {
    ProcessFiles.descriptors().flatMap(EventEntry.all).compactMap { UInt($0.word, radix: 16) }
  }

  /// What the event loops of the process wait for, but for libdispatch's: what that is to call stands
  /// in memory. And the timers of `timer_create`, of which each calls a thread or a signal's handler.
  ///
  /// - Returns: a connection, or a timer that fires soon enough; nil when there is neither.
  static func workPending(within time: Duration) -> PendingWork? {
    let loops = ProcessFiles.descriptors().filter { target(of: $0) == "anon_inode:[eventpoll]" }
    let watched = loops.map(EventEntry.all).filter { !$0.contains(where: \.isOfDispatch) }.joined()
    for descriptor in watched.map(\.descriptor) {
      let target = target(of: descriptor)
      if target.hasPrefix("socket:") || target.hasPrefix("pipe:") { return .connection }
      if target == "anon_inode:[timerfd]", let left = timeLeft(of: descriptor), left <= time {
        return .timer
      }
    }
    // "ID: 0", where the kernel was built to tell.
    let timers = ProcessFiles.text("/proc/self/timers").split(separator: "\n")
      .filter { $0.hasPrefix("ID: ") }.compactMap { Int32($0.dropFirst(4)) }
    let isDue = timers.map(memlab_timer_left).contains { $0 > 0 && .nanoseconds($0) <= time }
    return isDue ? .timer : nil
  }

  // "it_value: (0, 49988000)", in seconds and nanoseconds; all zero when it is not set.
  private static func timeLeft(of descriptor: String) -> Duration? {
    let lines = ProcessFiles.text("/proc/self/fdinfo/\(descriptor)").split(separator: "\n")
    guard let line = lines.first(where: { $0.hasPrefix("it_value:") }) else { return nil }
    let numbers = line.split { !$0.isNumber }.compactMap { Int64($0) }
    guard numbers.count == 2, numbers != [0, 0] else { return nil }
    return .seconds(numbers[0]) + .nanoseconds(numbers[1])
  }

  fileprivate static func target(of descriptor: String) -> String {
    ProcessFiles.target(ofLink: "/proc/self/fd/\(descriptor)")
  }
}

/// What an `epoll` watches, with the word for its owner.
private struct EventEntry {
  let descriptor: String
  let word: String

  // "tfd:        5 events:       19 data:     7f12a8001230  pos:0 ino:61af sdev:7"
  static func all(of file: String) -> [EventEntry] {
    let lines = ProcessFiles.text("/proc/self/fdinfo/\(file)").split(separator: "\n")
    return lines.filter { $0.hasPrefix("tfd:") }.compactMap { line in
      let parts = line.split(whereSeparator: \.isWhitespace)
      guard let label = parts.firstIndex(of: "data:"), label + 1 < parts.count else { return nil }
      return EventEntry(descriptor: String(parts[1]), word: String(parts[label + 1]))
    }
  }

  // libdispatch gives the descriptor that wakes it the word 1.
  var isOfDispatch: Bool {
    word == "1" && EventTables.target(of: descriptor) == "anon_inode:[eventfd]"
  }
}
