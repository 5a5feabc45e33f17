package import Testing

/// What a program left behind.
package struct ProgramResult: Sendable, Equatable {
  /// What it wrote to standard output; empty if that went elsewhere.
  package var stdout: String
  /// What it wrote to standard error.
  package var stderr: String
  /// The code that it ended with; 128 and the signal's number if a signal ended it, as in a shell.
  package var exitCode: Int32

  /// A result, by hand.
  package init(stdout: String = "", stderr: String = "", exitCode: Int32 = 0) {
    (self.stdout, self.stderr, self.exitCode) = (stdout, stderr, exitCode)
  }

  /// This result, of which a code is expected.
  @discardableResult
  package func exits(_ code: Int32, at place: SourceLocation = #_sourceLocation) -> Self {
    #expect(exitCode == code, "\(stdout)\(stderr)", sourceLocation: place)
    return self
  }

  /// This result, of which each of some texts is expected on standard output.
  @discardableResult package func says(
    _ texts: String..., at place: SourceLocation = #_sourceLocation
  ) -> Self {
    for text in texts {
      #expect(stdout.contains(text), "\(stdout)\(stderr)", sourceLocation: place)
    }
    return self
  }

  /// This result, of which each of some texts is expected on standard error.
  @discardableResult package func complains(
    _ texts: String..., at place: SourceLocation = #_sourceLocation
  ) -> Self {
    for text in texts { #expect(stderr.contains(text), "\(stderr)", sourceLocation: place) }
    return self
  }

  /// This result, of which nothing is expected on standard output.
  @discardableResult package func saysNothing(at place: SourceLocation = #_sourceLocation) -> Self {
    #expect(stdout == "", sourceLocation: place)
    return self
  }

  /// This result, of which nothing is expected on standard error.
  @discardableResult
  package func complainsOfNothing(at place: SourceLocation = #_sourceLocation) -> Self {
    #expect(stderr == "", sourceLocation: place)
    return self
  }
}

/// Where a program's standard output goes.
package enum StandardOutput: Sendable {
  /// Into `ProgramResult.stdout`.
  case captured
  /// Into a file that exists: `/dev/full` is a full disk.
  case file(String)
  /// Into a pipe whose reader has gone.
  case closedPipe
}
