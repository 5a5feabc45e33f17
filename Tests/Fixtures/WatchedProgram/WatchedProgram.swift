import Foundation

// A program that somebody else has written, as far as memlab knows: it links nothing of memlab's. It
// does what its standard input says, a line for each step, and answers each line with one.

/// Something that a client of the program has.
final class Session {
  let number: Int
  var notes: [Note] = []
  init(_ number: Int) { self.number = number }
}

/// What a session keeps.
final class Note {
  let text: String
  init(_ text: String) { self.text = text }
}

/// What leaks: it is never emptied.
final class SessionCache {
  nonisolated(unsafe) static let shared = SessionCache()
  var sessions: [Int: Session] = [:]
}

/// Two that hold each other; every fourth has the other one in another property.
final class Left { var right, other: Right? }

/// The other one.
final class Right { var left: Left? }

/// What a task holds that waits forever.
final class Subscription {
  let number: Int
  init(_ number: Int) { self.number = number }
}

/// What a timer holds.
final class Reminder { var count = 0 }

@MainActor
enum Work {
  static var streams: [AsyncStream<Int>.Continuation] = []
  static var timers: [any DispatchSourceTimer] = []

  static func remember(_ count: Int) {
    for _ in 0..<count {
      let number = SessionCache.shared.sessions.count
      let session = Session(number)
      session.notes = [Note("first of \(number)"), Note("second of \(number)")]
      SessionCache.shared.sessions[number] = session
    }
  }

  static func subscribe(_ count: Int) async {
    for number in 0..<count {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let (started, isStarted) = AsyncStream.makeStream(of: Void.self)
      streams.append(continuation)
      let subscription = Subscription(number)
      Task.detached {
        isStarted.finish()
        for await value in stream { print(subscription.number, value) }
        withExtendedLifetime(subscription) {}
      }
      for await _ in started {}
    }
  }

  // The optimizer would see that nobody uses them, and make none.
  @_optimize(none)
  static func tieUp(_ count: Int) {
    for number in 0..<count {
      let (left, right) = (Left(), Right())
      if number % 4 == 0 { left.other = right } else { left.right = right }
      right.left = left
    }
  }

  static func remind(_ count: Int) {
    for _ in 0..<count {
      let (timer, reminder) = (DispatchSource.makeTimerSource(), Reminder())
      timer.setEventHandler { reminder.count += 1 }
      timer.schedule(deadline: .now() + 3600)
      timer.resume()
      timers.append(timer)
    }
  }

  /// Objects that all are gone when it returns.
  static func pass(_ count: Int) async -> Int {
    var total = 0
    for number in 0..<count {
      let session = Session(number)
      total += await Task { session.number }.value
    }
    return total
  }

  /// Allocates and frees on several threads until the program ends.
  static func rush(_ count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread {
        var kept: [Session] = []
        while true {
          kept.append(Session(kept.count))
          kept.last?.notes.append(Note("a note that is too long to be stored in place"))
          if kept.count == 1000 { kept.removeAll() }
        }
      }
    }
  }
}

@main
enum Program {
  // At once, also into a pipe.
  private static func say(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  @MainActor static func main() async {
    say("ready \(getpid())")
    while let line = readLine() {
      let words = line.split(separator: " ")
      let count = words.count > 1 ? Int(words[1]) ?? 0 : 0
      switch words.first {
      case "remember": Work.remember(count)
      case "subscribe": await Work.subscribe(count)
      case "cycle": Work.tieUp(count)
      case "remind": Work.remind(count)
      case "pass": _ = await Work.pass(count)
      case "rush": Work.rush(count)
      case "sockets": for count in Descriptors.countSockets() { say("\(count)") }
      case "confine": say(Confinement.begin() ? "refused" : "not refused")
      case "environment": say(ProcessInfo.processInfo.environment["LD_PRELOAD"] ?? "none")
      case "exit": exit(Int32(count))
      default: break
      }
      say("done")
    }
  }
}
