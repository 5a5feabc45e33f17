import MemlabKit

extension Document {
  /// An issue: the results of a task group that runs as long as its server.
  static let jobsGroup = thread(
    "github.com/hummingbird-project/swift-jobs/issues/33", "hummingbird-project/swift-jobs 33")
  /// A pull request: completed tasks stay in a dictionary.
  static let webKitTasks = thread("github.com/WebKit/WebKit/pull/47671", "WebKit/WebKit 47671")
  /// A bug report: what an unstructured task copies of task-local values, and how long it keeps them.
  static let taskLocalCopies = thread(
    "github.com/swiftlang/swift/issues/37999", "swiftlang/swift 37999")
  /// A pull request: a task that was started in SwiftUI's `.task` goes on without it.
  static let taskInModifier = thread(
    "github.com/Automattic/pocket-casts-ios/pull/4752", "Automattic/pocket-casts-ios 4752")
  /// An issue: the actor is gone, and its loop forks a process every two seconds.
  static let loopWithoutOwner = thread(
    "github.com/manaflow-ai/cmux/issues/9408", "manaflow-ai/cmux 9408")
  /// An issue: `tick()` creates a task, which calls `tick()`.
  static let tickingTask = thread(
    "github.com/huiping192/HPLiveKit/issues/25", "huiping192/HPLiveKit 25")
  /// An issue: 328,000 notifications wait in a program after 23 hours.
  static let manyNotifications = thread(
    "github.com/manaflow-ai/cmux/issues/5302", "manaflow-ai/cmux 5302")
  /// A pull request: a timer and a handler that hold each other.
  static let timerAndHandler = thread(
    "github.com/grpc/grpc-swift-nio-transport/pull/84", "grpc/grpc-swift-nio-transport 84")
  /// An issue: a block on the main queue for each piece of a pipe's output.
  static let blockForEachChunk = thread(
    "github.com/momenbasel/Phosphor/issues/41", "momenbasel/Phosphor 41")
  /// An issue: the release of some 700 chained work items overflows the main thread's stack.
  static let chainedWorkItems = thread(
    "github.com/manaflow-ai/cmux/issues/8606", "manaflow-ai/cmux 8606")
  /// A pull request to the compiler: a noncopyable value's class reference was not released.
  static let noncopyableLeak = thread(
    "github.com/swiftlang/swift/pull/89533", "swiftlang/swift 89533")
  /// A talk at WWDC24.
  static let analyzeHeapMemory = thread(
    "developer.apple.com/videos/play/wwdc2024/10173", "WWDC24: Analyze heap memory")
  /// The proposal of discarding task groups.
  static let discardingGroups = thread(
    "github.com/swiftlang/swift-evolution/blob/main/proposals/0381-task-group-discard-results.md",
    "SE-0381")
  /// The proposal of task-local values.
  static let taskLocals = thread(
    "github.com/swiftlang/swift-evolution/blob/main/proposals/0311-task-locals.md", "SE-0311")
  /// The proposal that gave `Task { }` its implicit self.
  static let taskInit = thread(
    "github.com/swiftlang/swift-evolution/blob/main/proposals/0304-structured-concurrency.md",
    "SE-0304")

  /// A public thread under an address.
  static func thread(_ address: String, _ title: String) -> Document {
    Document(file: "https://" + address, title: title, family: "reported")
  }
}
