package import MemlabKit

/// A law of ownership that is not true, and that people believe.
///
/// It computes what someone who believes it expects after each step of a recorded run. No expectation
/// is typed in: each follows from the recording, with this one law changed.
package struct BeliefRule: Sendable {
  /// What commands call it: `cancel-ends`.
  package let name: String
  /// The law, as a sentence.
  package let sentence: String
  fileprivate let law: @Sendable (RecordedState) -> Outcome

  /// What a rule makes of a state: the boxes that stay, the tasks that are unfinished, what holds.
  fileprivate struct Outcome {
    var alive: Set<String>
    var live: Int
    /// How many updates are lost; nil where the rule says nothing of that.
    var lost: Int?
    var cause: @Sendable (_ type: String) -> Cause?
  }
}

/// What someone expects after a step, or what was measured there.
package struct Expectation: Sendable, Equatable {
  /// The names of the objects that are alive.
  package let alive: Set<String>
  /// How many tasks have not finished.
  package let live: Int
  /// How many updates a data race has lost.
  package let lost: Int
}

/// What is expected of a whole run.
package struct ExpectedRun: Sendable, Equatable {
  /// What is expected after each step.
  package let steps: [Expectation]
  /// What is said to hold the object that is asked about; nil where nothing is said.
  package let cause: Cause?

  /// Whether it is wrong about the end: about what holds the object, or about the counts where nothing
  /// is said of that.
  ///
  /// - Parameter measured: what was measured after each step.
  package func isWrong(about question: CauseQuestion?, measured: [Expectation]) -> Bool {
    guard let cause, let question else { return steps.last != measured.last }
    return !question.answers.contains(cause)
  }
}

/// What was recorded of a run, as rules look at it: read once, for all of them.
package struct RecordedRun: Sendable {
  fileprivate let states: [RecordedState]

  /// What a film has recorded.
  package init(of film: Film) { states = RecordedState.all(of: film) }

  /// What was measured after each step, in the form of an expectation.
  package var measured: [Expectation] { states.map(\.measured) }
}

/// What was recorded up to a step.
private struct RecordedState: Sendable {
  /// The step.
  let moment: Moment
  /// What was measured after it.
  let measured: Expectation
  /// Who holds whom after it.
  let graph: OwnershipGraph
  /// The same, with all that was there after earlier steps.
  let past: OwnershipGraph
  /// The objects under study that there were, by name, with the step that has made each.
  let made: [String: Int]
  /// Whether a step has ended a task.
  let hasEndedTask: Bool
  /// Whether no step follows.
  let isLast: Bool

  static func all(of film: Film) -> [RecordedState] {
    var past = OwnershipGraph(nodes: [], edges: [])
    var (made, hasEnded): ([String: Int], Bool) = ([:], false)
    return film.moments.enumerated().compactMap { place, moment in
      guard let picture = moment.picture else { return nil }
      past = .union(of: [past, picture.graph])
      let names = picture.objects.map(\.name)
      made.merge(names.map { ($0, place) }) { first, _ in first }
      hasEnded = hasEnded || moment.step.changes.contains { $0.hasPrefix("- task ") }
      let measured = Expectation(
        alive: Set(names), live: moment.totals.liveTasks,
        lost: moment.totals.metrics[.lostUpdates] ?? 0)
      return RecordedState(
        moment: moment, measured: measured, graph: picture.graph, past: past, made: made,
        hasEndedTask: hasEnded, isLast: place + 1 == film.moments.count)
    }
  }

  /// The names of the objects under study among some boxes of a picture.
  func objects(in places: some Sequence<Int>, of graph: OwnershipGraph) -> Set<String> {
    Set(made.keys).intersection(places.map { graph.nodes[$0].name })
  }

  /// The roots of a kind, in the picture or among all that there was.
  func roots(of kinds: [String], in graph: OwnershipGraph? = nil) -> [Int] {
    let nodes = (graph ?? self.graph).nodes
    return nodes.indices.filter { place in
      nodes[place].kind == .root && kinds.contains { nodes[place].name.hasPrefix($0 + " ") }
    }
  }

  var tasks: [Int] { roots(of: ["task"]) }
}

// MARK: - Kinds of rules

extension BeliefRule {
  /// What does not count by a rule.
  fileprivate struct Cut {
    /// The roots that hold nothing.
    var roots: [Int] = []
    /// The references that do not count.
    var arrows: [Int] = []
    /// How many tasks are over.
    var tasksOver = 0
  }

  /// A rule by which some roots and references do not count.
  ///
  /// - Parameters:
  ///   - collects: whether cycles are freed.
  ///   - cut: what does not count.
  private static func without(
    _ name: String, _ sentence: String, collecting collects: Bool = false,
    _ cut: @escaping @Sendable (RecordedState) -> Cut
  ) -> BeliefRule {
    BeliefRule(name: name, sentence: sentence) { state in
      let cut = cut(state)
      let after = ReferenceCounting(state.graph).cutting(roots: cut.roots, arrows: cut.arrows)
      let freed = Set(collects ? after.collected : [])
      let staying = after.staying.filter { !freed.contains($0) }
      return Outcome(
        alive: state.objects(in: staying, of: state.graph),
        live: state.measured.live - cut.tasksOver
      ) { type in
        let box = staying.first { state.graph.nodes[$0].isObject(of: type) }
        return box.map { Cause(after.reason(for: $0)) } ?? .nobody
      }
    }
  }

  /// A rule by which some objects that are gone stay.
  ///
  /// - Parameters:
  ///   - cause: what is said to hold them.
  ///   - keepsTasks: whether no task ever ends.
  ///   - kept: the boxes that stay, of all that there were.
  private static func keeping(
    _ name: String, _ sentence: String, by cause: Cause, keepingTasks keepsTasks: Bool = false,
    _ kept: @escaping @Sendable (RecordedState) -> Set<Int> = { Set($0.past.nodes.indices) }
  ) -> BeliefRule {
    BeliefRule(name: name, sentence: sentence) { state in
      let staying = state.objects(in: kept(state), of: state.past)
      let started = state.moment.totals.tasks.reduce(0) { $0 + $1.started }
      return Outcome(
        alive: staying.union(state.measured.alive), live: keepsTasks ? started : state.measured.live
      ) { type in staying.contains { $0.isName(of: type) } ? cause : nil }
    }
  }

  /// A rule that gets every count right, and says that what is left is always held by the same.
  private static func saying(_ name: String, _ sentence: String, _ cause: Cause) -> BeliefRule {
    BeliefRule(name: name, sentence: sentence) { state in
      let measured = state.measured
      return Outcome(alive: measured.alive, live: measured.live) { type in
        measured.alive.contains { $0.isName(of: type) } ? cause : .nobody
      }
    }
  }

  /// What someone who believes this expects of a run.
  ///
  /// - Parameter type: the type that is asked about; nil where nothing is asked.
  package func expectation(of run: RecordedRun, about type: String?) -> ExpectedRun {
    let outcomes = run.states.map(law)
    return ExpectedRun(
      steps: zip(run.states, outcomes).map { state, outcome in
        Expectation(
          alive: outcome.alive, live: outcome.live, lost: outcome.lost ?? state.measured.lost)
      }, cause: type.flatMap { type in outcomes.last?.cause(type) })
  }
}

extension OwnershipGraph.Node {
  fileprivate func isObject(of type: String) -> Bool { kind == .object && name.isName(of: type) }
}

extension String {
  /// Whether this is a name in a picture of an object of a type: the type, with or without a number.
  fileprivate func isName(of type: String) -> Bool {
    self == type || hasPrefix(type + " ") && dropFirst(type.count + 1).allSatisfy(\.isNumber)
  }
}

extension Cause {
  fileprivate init?(_ reason: ReferenceCounting.Reason) {
    switch reason {
    case .root(let name): self.init(rawValue: String(name.prefix { $0 != " " }))
    case .cycle: self = .cycle
    case .unseen: return nil
    }
  }
}

// MARK: - The rules

extension BeliefRule {
  /// All rules, those about tasks first.
  package static let all: [BeliefRule] =
    ofTasks + ofReferences + [
      keeping("variable-stays", "Setting a variable to nil releases nothing.", by: .variable) {
        $0.past.boxes(from: $0.roots(of: ["variable"], in: $0.past))
      },
      keeping("global-keeps", "What was in a global table once stays there.", by: .global) {
        $0.past.boxes(from: $0.roots(of: ["global"], in: $0.past))
      },
      keeping("list-of-all", "The runtime holds a list of all objects.", by: .global),
      keeping("work-goes-on", "What is under way holds what it uses forever.", by: .task),
      keeping("self-is-cycle", "A closure about self is a cycle, weak or not.", by: .cycle),
      BeliefRule(name: "late-deinit", sentence: "Objects are deinitialised later, at the end.") {
        Outcome(
          alive: $0.isLast ? $0.measured.alive : Set($0.made.keys), live: $0.measured.live
        ) { _ in nil }
      },
      BeliefRule(name: "structs-are-safe", sentence: "A struct needs no lock: no update is lost.") {
        Outcome(alive: $0.measured.alive, live: $0.measured.live, lost: 0) { _ in nil }
      },
    ]

  private static let ofTasks = [
    without("cancel-ends", "A task that is cancelled ends.") { state in
      let cancelled = (state.moment.heap?.tasks ?? []).filter(\.isCancelled).map(\.name)
      let roots = state.tasks.filter { root in
        cancelled.contains { state.graph.nodes[root].name.isName(of: "task \($0)") }
      }
      return Cut(roots: roots, tasksOver: cancelled.count)
    },
    without("one-ends-all", "When one task ends, so do those that serve it.") { state in
      guard state.hasEndedTask else { return Cut() }
      return Cut(roots: state.tasks, tasksOver: state.measured.live)
    },
    without("owner-ends", "A task ends when its owner has no variable.") { state in
      let reached = state.graph.boxes(from: state.roots(of: ["variable", "global"]))
      return Cut(
        over: state.tasks.filter { state.graph.boxes(from: [$0]).isDisjoint(with: reached) })
    },
    without("handle-cancels", "Releasing a task's last handle cancels it.") { state in
      let held = Set(state.graph.edges.map(\.to))
      return Cut(over: state.tasks.filter { !held.contains($0) })
    },
    without("waiting-holds-nothing", "A task that waits holds nothing.") { Cut(roots: $0.tasks) },
    keeping(
      "task-keeps", "A task never ends, and keeps what it has used.", by: .task, keepingTasks: true
    ) { $0.moment.totals.tasks.isEmpty ? [] : Set($0.past.nodes.indices) },
  ]

  private static let ofReferences = [
    without("only-variables", "Only variables keep objects alive.", collecting: true) {
      Cut(roots: $0.roots(of: ["task", "global"]))
    },
    without("globals-hold-nothing", "Globals and libraries hold none of my objects.") {
      Cut(roots: $0.roots(of: ["global"]))
    },
    without("closures-hold-nothing", "A closure does not hold what it uses.") { state in
      let graph = state.graph
      let arrows = graph.edges.indices
      return Cut(arrows: arrows.filter { graph.nodes[graph.edges[$0].from].kind == .passage })
    },
    without("cycles-are-freed", "The runtime finds cycles and frees them.", collecting: true) { _ in
      Cut()
    },
    without("variable-frees", "Setting a variable to nil frees its object.") { state in
      let stays = Set(state.graph.nodes.map(\.name))
      let past = state.past
      let dropped = past.edges.filter { edge in
        let holder = past.nodes[edge.from]
        return holder.name.hasPrefix("variable ") && !stays.contains(holder.name)
      }
      return Cut(arrows: state.graph.arrows(to: Set(dropped.map { past.nodes[$0.to].name })))
    },
    without("owner-takes-all", "An object takes all it refers to with it.") { state in
      let stays = Set(state.graph.nodes.map(\.name))
      let past = state.past
      let gone = past.nodes.indices.filter {
        past.nodes[$0].kind == .object && !stays.contains(past.nodes[$0].name)
      }
      return Cut(
        arrows: state.graph.arrows(to: state.objects(in: past.boxes(from: gone), of: past)))
    },
    without("goes-together", "What is made together goes together.") { state in
      let gone = state.made.filter { !state.measured.alive.contains($0.key) }
      let steps = Set(gone.values)
      return Cut(
        arrows: state.graph.arrows(to: Set(state.made.filter { steps.contains($0.value) }.keys)))
    },
    saying("leak-is-cycle", "What is never deinitialised is in a cycle.", .cycle),
    saying("leak-is-variable", "What is alive is held by a variable.", .variable),
    keeping("both-ways", "Objects that are connected hold each other.", by: .cycle) { state in
      let inner = state.past.edges.filter { state.past.nodes[$0.from].kind != .root }
      let connected = inner.filter { state.past.nodes[$0.to].kind != .root }
      return state.past.boxes(from: connected.flatMap { [$0.from, $0.to] })
    },
  ]
}

extension BeliefRule.Cut {
  /// Tasks that are over, and hold nothing.
  fileprivate init(over tasks: [Int]) { (roots, tasksOver) = (tasks, tasks.count) }
}

extension OwnershipGraph {
  /// The arrows to objects of these names.
  fileprivate func arrows(to names: Set<String>) -> [Int] {
    edges.indices.filter { names.contains(nodes[edges[$0].to].name) }
  }
}
