import MemlabCLI
import MemlabCourse
import MemlabKit
import MemlabTerminalText
import MemlabWitness
import Synchronization
import TestSupport
import Testing

/// Scenarios that are not in the catalog, to see what commands make of them.
enum Samples {
  private final class Thing: Sendable { private let probe = Probe(Thing.self) }

  /// An object that is counted.
  static func thing() -> AnyObject { Thing() }

  /// A scenario in which a thing comes and goes, whatever it declares.
  static func scenario(claiming verdict: Verdict) -> Scenario { scenario(ending(verdict)) }

  /// A scenario whose only step promises what it does not keep.
  static let unkept = scenario(
    Ending("end", "it ends", expects: .nothing, explanation: "It is so.") { lab in
      try lab.step("nothing comes about", until: { false }) {}
    })

  /// A scenario whose only step does not come to rest.
  static let restless = scenario(
    Ending("end", "it ends", expects: .nothing, explanation: "It is so.") { lab in
      try lab.step("something goes on forever") { throw SchedulerError.restless }
    })

  /// A scenario that traps in its second step.
  static let trapping = scenario(
    Ending("end", "it ends", expects: .nothing, explanation: "It is so.") { lab in
      try lab.step("all is well") {}
      try lab.step("all is lost") { fatalError("on purpose") }
    })

  /// A self-check that passes without tasks, which these tests have no scheduler for.
  static let selfCheck = SelfCheck(leak: unjudged(.leak), clean: unjudged(.clean))

  /// A self-check that takes a leak for a clean run.
  static let blindSelfCheck = SelfCheck(leak: unjudged(.clean), clean: unjudged(.clean))

  private static func unjudged(_ verdict: Verdict) -> Ending {
    Ending(
      "plant", "it is planted", expects: .nothing, explanation: "-", judge: { _ in verdict },
      run: { _ in })
  }

  /// An ending in which a thing comes and goes.
  static func ending(_ verdict: Verdict, named name: String = "end") -> Ending {
    let expectation = Declaration(
      verdict, objects: [ObjectCount("Thing", created: 1, deinitialized: 1)])
    return Ending(name, "it ends", expects: expectation, explanation: "It is so.") { lab in
      try lab.step("a thing comes and goes") { _ = Thing() }
    }
  }

  private static func scenario(_ ending: Ending) -> Scenario { scenario(with: [ending]) }

  /// A scenario with these endings.
  static func scenario(with endings: [Ending]) -> Scenario {
    Scenario(
      id: "sample", title: "a sample", document: Document(file: "none.txt", title: "None"),
      place: "nowhere", lesson: "none", question: "What?", hint: "That.", endings: endings)
  }
}

extension ProgramResult {
  /// This result, of which a code is expected.
  @discardableResult func exits(_ code: ExitCode, at place: SourceLocation = #_sourceLocation)
    -> Self
  { exits(code.rawValue, at: place) }
}

/// To read the heap would start and stop the recorder, which is one for all tests of this process.
private enum NoHeap: ProcessHeap {
  static let (isPart, diagnoses) = (RealHeap.isPart, [Diagnosis]())
  static func checkTable() -> RuntimeTableReport { .init(unchecked: "a test has none") }
  static func witness() throws(HeapUnreadable) -> any HeapWitness {
    throw .init(reason: "a test has none")
  }
}

/// Takes down what a command writes.
final class Page: Sendable {
  private let lines = Mutex([Int32: [UInt8]]())

  /// What was written to standard output.
  var output: String { text(of: 1) }

  /// What was written to standard error.
  var errors: String { text(of: 2) }

  /// Runs a command line over these scenarios.
  func run(
    _ words: [String], _ scenarios: [Scenario], selfCheck: SelfCheck = Samples.selfCheck
  ) -> ExitCode { Memlab(session: session(scenarios, selfCheck: selfCheck)).run(words) }

  /// What a command line over these scenarios writes, and the code that it ends with.
  static func run(
    _ words: [String], _ scenarios: [Scenario], selfCheck: SelfCheck = Samples.selfCheck
  ) -> ProgramResult {
    let page = Page()
    let code: ExitCode = page.run(words, scenarios, selfCheck: selfCheck)
    return ProgramResult(stdout: page.output, stderr: page.errors, exitCode: code.rawValue)
  }

  /// A session that writes here, over these scenarios.
  func session(_ scenarios: [Scenario], selfCheck: SelfCheck = Samples.selfCheck) -> Session {
    session(changed(.memlab) { $0.scenarios = scenarios }, selfCheck: selfCheck)
  }

  /// A session of a program that writes here.
  func session(_ app: App, selfCheck: SelfCheck = Samples.selfCheck) -> Session {
    Session(
      changed(app) { $0.heap = NoHeap.self }, output: writer(1), errors: writer(2),
      selfCheck: selfCheck, scheduler: { _ in ImpatientScheduler() })
  }

  /// What takes down what is written to a descriptor.
  func writer(_ descriptor: Int32) -> Output {
    Output(descriptor: descriptor) { descriptor, bytes in
      self.lines.withLock { $0[descriptor, default: []] += Array(bytes) }
      return .wrote(bytes.count)
    }
  }

  private func text(of descriptor: Int32) -> String {
    lines.withLock { String(decoding: $0[descriptor] ?? [], as: UTF8.self) }
  }
}
