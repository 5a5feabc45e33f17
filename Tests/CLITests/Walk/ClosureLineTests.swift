import MemlabHeapModel
import MemlabKit
import MemlabReports
import MemlabWalk
import Testing

@Suite("The line to change for what a closure captures") struct ClosureLineTests {
  private static let listing = Listing(
    "code", path: "Sources/A/Code.swift", line: 10,
    marked: """
      final class Clock {
        lazy var times: AsyncStream<Int> = .init {
          [self] continuation in
          Task(probe: "clock") {
            for await time in source.times {
              if time > 0 {

                await show(time)
              }
            }
          }
          continuation.onTermination = { [weak self] _ in
            self?.stop()
          }
        }

        func wait() async {
          await pause()
        }
      }
      """)

  @Test(
    "is where the closure begins, not where its task waits",
    arguments: [(14, 13), (17, 13), (13, 12), (22, 21), (27, 26), (10, nil), (99, nil)])
  func line(waiting: Int, expected: Int?) {
    let place = CodeLocation(file: "A/Code.swift", line: waiting)
    #expect(Self.listing.closure(around: place)?.line == expected)
    #expect(Self.listing.closure(around: CodeLocation(file: "B.swift", line: waiting)) == nil)
  }
}
