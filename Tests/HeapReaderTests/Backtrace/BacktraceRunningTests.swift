import Glibc
import MemlabHeapModel
import MemlabHeapReader
import TestSupport
import Testing

@Suite("The backtrace of a task that moves on") struct BacktraceRunningTests {
  @Test("is read ten thousand times while the task runs, without a fault or a lost descriptor")
  func running() async {
    let (stream, continuation) = AsyncStream<Int>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let parked = ParkedTask { for await _ in stream {} }
    let place = StrippedLibraries.stream("AsyncStream.Iterator.next()")
    let before = await parked.backtrace(suspendedIn: place)
    let descriptors = openDescriptors()
    var seen = 0
    for round in 0..<10_000 {
      continuation.yield(round)
      if parked.backtraceNow != nil { seen += 1 }
    }
    #expect(before?.suspendedIn == place)
    #expect(seen == 10_000)
    // Other tests run programs meanwhile. A reading that loses a descriptor loses ten thousand.
    #expect(openDescriptors() <= descriptors + 1000)
    continuation.finish()
  }

  private func openDescriptors() -> Int { (0..<1024).count { fcntl($0, F_GETFD) >= 0 } }
}
