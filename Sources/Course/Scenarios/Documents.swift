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
  static let cmuxGuard = Document(
    file: "https://github.com/manaflow-ai/cmux/pull/8091",
    title: "manaflow-ai/cmux 8091: a review of a for await loop", family: "reported")

  /// A bug report: a continuation that nobody resumes once the download is cancelled.
  static let kingfisherContinuation = Document(
    file: "https://github.com/onevcat/Kingfisher/issues/2384",
    title: "onevcat/Kingfisher 2384: continuation misuse", family: "reported")

  /// A bug report: what `[weak self]` in an inner closure does to the outer one.
  static let nestedWeakCapture = Document(
    file: "https://github.com/swiftlang/swift/issues/72391",
    title: "swiftlang/swift 72391: weak self in nested closures", family: "reported")

  /// A pull request that removes a retain cycle, although the cycle ended by itself.
  static let realmAsyncOpen = Document(
    file: "https://github.com/realm/realm-swift/pull/8165",
    title: "realm/realm-swift 8165: a retain cycle in asyncOpen", family: "reported")

  /// A bug report: a task waits for the end of a stream that it holds.
  static let semaphoreDeadlock = Document(
    file: "https://github.com/groue/Semaphore/issues/14",
    title: "groue/Semaphore 14: deadlock with AsyncStream", family: "reported")
}
