import MemlabKit
import MemlabPlatform

extension Scenario {
  private static let endings = ClockEndings(
    make: { SinkStrongSelf.Clock() }, start: { $0.start() }, halt: { $0.stop() })

  /// `sink-strong-self`: a sink captures self.
  static let sinkStrongSelf = Scenario(
    id: "sink-strong-self", title: "a sink captures self", document: .combineMemory,
    place: "its first clock", lesson: "04-combine-and-its-cancellables",
    question: "The clock's variable is gone. Does its timer fire again, and whom does it call?",
    hint: "Start at the clock and follow what each object holds, until you are back.",
    beliefs: [
      .nobody("The last variable is gone, and an AnyCancellable cancels when it is released.")
    ], next: "assign-on-self", fixedBy: "sink-weak-self",
    endings: [
      endings.drop(
        expects: .leakedClock(heldBy: "Sink"),
        explanation: "The clock holds the cancellable, the cancellable holds the sink, the sink "
          + "holds its closure, and the closure holds the clock. The run loop holds the same sink "
          + "through the timer, so the dropped clock even stays up to date."
      )
      .claiming(
        "the subscription stays active for as long as the clock instance is in memory",
        original: "只要它的时钟实例还在内存中,订阅就会一直处于激活状态"
      ) { $0.object("Clock").alive == $0.metric("timersRunning") }
      .claiming(
        "we end up with a circular reference, or in other words a memory leak",
        original: "我们将以一个循环引用结束——或者换句话说,一个内存泄漏"
      ) { $0.object("Clock").alive == 1 },
      endings.stop(
        expects: .stoppedClock,
        explanation: "stop() releases the cancellable, which cancels the subscription, which "
          + "releases the closure. That cuts the cycle by hand. It leaks only if nobody calls "
          + "stop()."
      )
      .claiming(
        "unless we remove the cancellable by hand, by setting its property to nil",
        original: "除非通过将其属性设置为nil来手动删除可取消对象"
      ) { $0.metric("timersRunning") == 0 && $0.object("Clock").alive == 0 },
    ])
}

/// The document's first listing.
enum SinkStrongSelf {
  // snippet:code
  class Clock: ObservableObject {
    @Published private(set) var time = Date().timeIntervalSince1970
    private var cancellable: AnyCancellable?
    private let probe = Probe(Clock.self)

    func start() {
      cancellable = Timer.publish(
        every: 1,
        on: .main,
        in: .default
      )
      .autoconnect()
      .sink { date in
        self.time = date.timeIntervalSince1970
      }
    }

    func stop() {
      cancellable = nil
    }
  }
  // snippet:end
}
