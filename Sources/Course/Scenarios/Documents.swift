import MemlabKit

extension Document {
  /// “Automatic Reference Counting”, a chapter of *The Swift Programming Language*: the basis of
  /// all others.
  static let automaticReferenceCounting = Document(
    file: "https://docs.swift.org/swift-book/documentation/the-swift-programming-language/"
      + "automaticreferencecounting/",
    title: "Automatic reference counting", family: "arc")

  /// “Swift AsyncStream + 메모리 관리” by pookjw: five steps from a leaking `AsyncThrowingStream` to one
  /// that ends.
  ///
  /// https://pookjw.github.io/Develop/Swift_AsyncStream_Memory_Management/article.html
  static let asyncStreamMemory = Document(
    file: "000_1d1ebed5561b2a0c.txt", title: "Swift AsyncStream and memory management",
    family: "stream")

  /// A Chinese translation of “Managing self and cancellable references when using Combine” by John
  /// Sundell: who holds whom in a Combine pipeline.
  ///
  /// https://www.swiftbysundell.com/articles/combine-self-cancellable-memory-management/
  static let combineMemory = Document(
    file: "003_cedcf7aa689e3301.txt", title: "Memory management in Combine", family: "combine")

  /// Notes in Korean, of 3 April 2023: why structs are called thread-safe, and when they are not.
  ///
  /// https://hackmd.io/@9iKKSRaDQj6hiOMoeNrGsw/ByKxWF8-n
  static let structsAndThreads = Document(
    file: "004_fbc4adfaec866691.txt", title: "Are structs always safe?", family: "structs")

  /// “[ReactorKit] Reactor도 disposeBag이 있을까?” by 사과먹는사람: where a ReactorKit reactor keeps its
  /// dispose bag.
  ///
  /// https://dev-dain.tistory.com/303
  static let reactorDisposeBag = Document(
    file: "001_0135710dd94f442d.txt", title: "Does a Reactor have a disposeBag?", family: "reactor")

  /// “AsyncStream を複数購読したいときの解決策” by tattsun: several consumers of one `AsyncStream`.
  ///
  /// https://zenn.dev/dely_jp/articles/async-broadcast-stream
  static let asyncStreamBroadcast = Document(
    file: "002_ac247bea5e167b2e.txt", title: "When several consumers want one AsyncStream",
    family: "broadcast")

  /// An article by John Sundell, which “Swift AsyncStream and memory management” recommends: what a
  /// task captures, and how to cancel it.
  static let tasksAndMemory = Document(
    file: "https://www.swiftbysundell.com/articles/memory-management-when-using-async-await/",
    title: "Memory management when using async/await in Swift", family: "tasks")

  /// A lesson on tasks that poll.
  static let pollingTasks = Document(
    file: "https://course-lessons.avanderlee.com/swift-concurrency/memory-management/"
      + "preventing-retain-cycles-when-using-tasks",
    title: "Preventing retain cycles when using tasks", family: "tasks")

  /// A question: why an object that was captured weakly stays alive while one of its methods runs.
  static let forumsRunForever = Document(
    file: "https://forums.swift.org/t/unstructured-task-prevents-deallocation-of-mainactor-class-"
      + "when-calling-instance-async-method-via-weak-reference-expected-behavior/86101",
    title: "Swift forums 86101: a task prevents deallocation", family: "reported")

  /// A code review: `guard let self` at the top of a task.
  static let cmuxGuard = pull(8091, of: "manaflow-ai/cmux", about: ": a review of a for await loop")

  /// A bug report: a continuation that nobody resumes once the download is cancelled.
  static let kingfisherContinuation = issue(
    2384, of: "onevcat/Kingfisher", about: ": continuation misuse")

  /// A bug report: what `[weak self]` in an inner closure does to the outer one.
  static let nestedWeakCapture = issue(
    72391, of: "swiftlang/swift", about: ": weak self in nested closures")

  /// A pull request that removes a retain cycle, although the cycle ended by itself.
  static let realmAsyncOpen = pull(
    8165, of: "realm/realm-swift", about: ": a retain cycle in asyncOpen")

  /// A bug report: a task waits for the end of a stream that it holds.
  static let semaphoreDeadlock = issue(
    14, of: "groue/Semaphore", about: ": deadlock with AsyncStream")

  /// An issue: the results of a task group that runs as long as its server.
  static let jobsGroup = issue(33, of: "hummingbird-project/swift-jobs")
  /// A pull request: completed tasks stay in a dictionary.
  static let webKitTasks = pull(47671, of: "WebKit/WebKit")
  /// A bug report: what an unstructured task copies of task-local values, and how long it keeps them.
  static let taskLocalCopies = issue(37999, of: "swiftlang/swift")
  /// A pull request: a task that was started in SwiftUI's `.task` goes on without it.
  static let taskInModifier = pull(4752, of: "Automattic/pocket-casts-ios")
  /// An issue: the actor is gone, and its loop forks a process every two seconds.
  static let loopWithoutOwner = issue(9408, of: "manaflow-ai/cmux")
  /// An issue: `tick()` creates a task, which calls `tick()`.
  static let tickingTask = issue(25, of: "huiping192/HPLiveKit")
  /// An issue: 328,000 notifications wait in a program after 23 hours.
  static let manyNotifications = issue(5302, of: "manaflow-ai/cmux")
  /// A pull request: a timer and a handler that hold each other.
  static let timerAndHandler = pull(84, of: "grpc/grpc-swift-nio-transport")
  /// An issue: the release of some 700 chained work items overflows the main thread's stack.
  static let chainedWorkItems = issue(8606, of: "manaflow-ai/cmux")
  /// An issue: a block on the main queue for each piece of a pipe's output.
  static let blockForEachChunk = issue(41, of: "momenbasel/Phosphor")
  /// A pull request to the compiler: a noncopyable value's class reference was not released.
  static let noncopyableLeak = pull(89533, of: "swiftlang/swift")
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

  /// The reference on memory of a skill for coding assistants, by Antoine van der Lee, as of commit
  /// 45fa49e; under the MIT licence, which `Documentation/AgentSkillLicense.txt` has.
  static let skillMemory = skill("memory-management", title: "an assistants' reference on memory")
  /// The reference on tasks of the same skill.
  static let skillTasks = skill("tasks", title: "an assistants' reference on tasks")
  /// The reference on streams of the same skill.
  static let skillStreams = skill("async-sequences", title: "an assistants' reference on streams")
  /// The reference on observation of the same skill.
  static let skillObservation = skill(
    "observation", title: "an assistants' reference on observation")

  /// An issue on GitHub.
  ///
  /// - Parameter about: what it is about, after a colon; empty where the number will do.
  static func issue(_ number: Int, of repository: String, about: String = "") -> Document {
    thread("github.com/\(repository)/issues/\(number)", "\(repository) \(number)\(about)")
  }

  /// A pull request on GitHub.
  ///
  /// - Parameter about: what it is about, after a colon; empty where the number will do.
  static func pull(_ number: Int, of repository: String, about: String = "") -> Document {
    thread("github.com/\(repository)/pull/\(number)", "\(repository) \(number)\(about)")
  }

  /// A public thread under an address.
  static func thread(_ address: String, _ title: String) -> Document {
    Document(file: "https://" + address, title: title, family: "reported")
  }

  private static func skill(_ page: String, title: String) -> Document {
    Document(
      file: "https://github.com/AvdLee/Swift-Concurrency-Agent-Skill/blob/45fa49e/skills/"
        + "swift-concurrency/references/\(page).md",
      title: title, family: "taught")
  }
}
