package import MemlabKit
// The C library and Foundation, for every file of this room and for those that import it.
@_exported public import MemlabPlatform
package import MemlabReports
package import MemlabTerminalText

/// What a command works with: the scenarios, the two outputs and the schedulers.
package struct Session: Sendable {
  /// What the program is made of.
  package var app: App
  /// The checkout that the exercises' files are in.
  package var checkout: URL
  /// Where results go.
  package var output: Output
  /// Where everything else goes.
  package var errors: Output
  /// The check that must pass before anything is measured.
  package var selfCheck: SelfCheck
  /// Makes the scheduler of this name.
  package var scheduler: @Sendable (SchedulerName) throws(SchedulerError) -> any Scheduler
  /// The file of this program, for commands that start it again; nil where it cannot be started, or
  /// has other scenarios.
  package var program: String?
  /// How long the code of a step may make no progress before it counts as stuck; nil for any time.
  package var standstillLimit: Duration?
  /// Whether commands that measure many endings give each a process of its own, where the platform
  /// has that.
  package var isolates = false

  /// A session of a program; by default on the standard outputs.
  package init(
    _ app: App, checkout: URL = Checkout.ofThisBuild, output: Output = .standard,
    errors: Output = .standardError, selfCheck: SelfCheck = SelfCheck(),
    scheduler: @escaping @Sendable (SchedulerName) throws(SchedulerError) -> any Scheduler =
      SchedulerName.make
  ) {
    (self.app, self.checkout, self.output, self.errors) = (app, checkout, output, errors)
    (self.selfCheck, self.scheduler) = (selfCheck, scheduler)
  }

  /// The session of a program that was started at a command line.
  package static func ofProgram(_ app: App) -> Session {
    var session = Session(app)
    // Far longer than a step takes on a loaded machine.
    session.standstillLimit = .seconds(60)
    session.isolates = true
    session.program = OwnProgram.path
    return session
  }

  /// The scenarios that may be named.
  package var scenarios: [Scenario] { app.scenarios }

  /// The exercises that may be named; none where there is no course.
  package var exercises: [Exercise] { app.course?.exercises() ?? [] }

  /// Whether each of many endings is measured in a process of its own.
  package var measuresApart: Bool { isolates && Isolation.isAvailable }

  /// The scenario of this id. The parser has checked that it exists.
  package func scenario(_ id: String) -> Scenario {
    guard let scenario = scenarios.first(where: { $0.id == id }) else {
      preconditionFailure("the parser let an unknown scenario pass: \(id)")
    }
    return scenario
  }

  /// What was recorded of a scenario's heap, where it is not read; nil where it is, or nothing was.
  package func recorded(_ scenario: Scenario) -> RecordedChains? {
    let path = "Tests/CLITests/Golden/run-\(scenario.id).txt"
    guard !app.heap.isPart,
      let report = try? String(contentsOf: checkout.appending(path: path), encoding: .utf8),
      report.contains("\n\(scenario.origin)\n")
    else { return nil }
    return RecordedChains(in: report)
  }

  /// The terminal that results are written to, or a plain one for a file.
  package func terminal(for invocation: Invocation) -> Terminal {
    Terminal(
      descriptor: output.descriptor,
      color: invocation.choice("color", as: ColorChoice.self) ?? .auto)
  }
}

/// The schedulers that `--scheduler` can name.
package enum SchedulerName: String, Sendable, CaseIterable {
  /// Deterministic: one queue, one thread, a virtual clock.
  case virtual
  /// The runtime's own pool of threads.
  case pool

  /// The scheduler of commands without `--scheduler`: the virtual one, where this version of Swift
  /// lets memlab replace the executors.
  package static let `default`: SchedulerName = VirtualScheduler.obstacle == nil ? .virtual : .pool

  /// Makes the scheduler of this name; the virtual one takes over the whole process.
  package static func make(_ name: SchedulerName) throws(SchedulerError) -> any Scheduler {
    switch name {
    case .virtual: try VirtualScheduler.install()
    case .pool: PoolScheduler()
    }
  }
}

extension Session {
  /// Writes lines to where results go, coloured as the command line wants it.
  package func write(_ lines: [StyledText], for invocation: Invocation) throws(OutputError) {
    try output.write(lines, color: terminal(for: invocation).usesColor)
  }

  /// Writes an answer: as JSON where `--format` says so, and else as lines that fit the terminal.
  package func answer(
    _ invocation: Invocation, json: @autoclosure () -> some Encodable, schema: String,
    _ lines: (_ width: Int) -> [StyledText]
  ) throws {
    if invocation.wantsJSON { return try output.write(json: json(), schema: schema) }
    let width = terminal(for: invocation).width
    try write(lines(width).flatMap { $0.foldedIfNarrow(to: width) }, for: invocation)
  }

  /// Says why there is no second witness, or what it cannot tell; nothing where nothing is to be said.
  package func note(_ remark: String?) throws(OutputError) {
    if let remark { try errors.write("Note: \(remark)\n") }
  }
}

/// The folder of memlab's sources.
package enum Checkout {
  /// The one that this program was built from.
  package static let ofThisBuild = (1...5).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }
}
