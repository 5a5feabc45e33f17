/// Has tasks that wait for what does not come. Where they are created is written beside it.
final class Screen: @unchecked Sendable {
  private let stream = AsyncStream<Int> { _ in }
  private var waiter: UnsafeContinuation<Void, Never>?
  private var last = 0

  @inline(never) func wait() async { await withUnsafeContinuation { waiter = $0 } }

  fileprivate init() {
    Task {  // task
      await wait()
      last = 1
    }
  }

  func onOneLine() { Task(name: "loop") { [stream] in for await _ in stream {} } }  // task

  func withoutAwaitAtFirst() {
    Task {  // task
      [weak self, stream]
      in
      guard let self else { return }
      for await value in stream { last = value }
    }
  }

  func withInlinedCode() {
    Task(priority: .high) {  // task
      count(to: 3)
      await wait()
      count(to: 4)
    }
  }

  func ofGenericFunction<Value: Sendable>(_ value: Value) {
    Task {  // task, in debug builds
      await self.wait()
      print(value)
    }
  }

  func onMainActor() {
    Task { @MainActor in  // task
      count(to: 5)
      await self.wait()
      count(to: 6)
    }
  }

  func thatThrows() {
    _ = Task<Int, any Error> {  // task
      await self.wait()
      try Task.checkCancellation()
      return 1
    }
  }

  func ofGroup() {
    Task {  // task
      await withTaskGroup { group in
        group.addTask { await self.wait() }  // task
        group.addTask {  // task
          await self.wait()
          count(to: 7)
        }
      }
    }
  }

  func inClosure() {
    let make: @Sendable () -> Void = {
      count(to: 8)
      Task {  // task
        await self.wait()
        self.last = 2
      }
    }
    make()
  }

  // The closures of these two nobody wrote.
  func ofMethod() { Task(operation: wait) }  // task

  func ofAsyncLet() {
    Task {  // task
      async let other: Void = wait()  // task
      await other
    }
  }
}

@inline(__always) private func count(to number: Int) {
  for value in 0..<number { print(value, terminator: "") }
}

@_cdecl("leak") public func leak() {
  let screen = Screen()
  screen.onOneLine()
  screen.withoutAwaitAtFirst()
  screen.withInlinedCode()
  screen.ofGenericFunction("")
  screen.onMainActor()
  screen.thatThrows()
  screen.ofGroup()
  screen.inClosure()
  screen.ofMethod()
  screen.ofAsyncLet()
}
