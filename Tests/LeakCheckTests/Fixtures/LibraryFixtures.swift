import Glibc
import LeakCheck
import Testing

/// Runs what a library leaks that another test has made.
@Suite("Library", .enabled(if: Fixture.isOn)) struct LibraryFixtures {
  private static let path = Fixture.variable("LEAKCHECK_TEST_LIBRARY")

  @Test func library() async throws {
    let library = dlopen(Self.path, RTLD_NOW)
    let function = try #require(dlsym(library, "leak"))
    let leak = unsafeBitCast(function, to: (@convention(c) () -> Void).self)
    await expectNoLeaks(within: .milliseconds(300)) { leak() }
  }
}
