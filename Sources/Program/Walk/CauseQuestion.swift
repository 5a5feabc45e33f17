import MemlabHeapModel
package import MemlabKit
package import MemlabReports

/// The question what holds an object at the end of a film, with its answers.
///
/// Which of them is right, and which step shows it, is measured: nobody has typed it in.
package struct CauseQuestion: Sendable {
  /// The object's type.
  package let type: String
  /// What holds the object in the end: every answer that is right.
  package let answers: Set<Cause>
  private let film: Film
  private let beliefs: [Belief]

  /// The question about a film.
  ///
  /// Asks about the first object that is left, or about the first if none is.
  ///
  /// - Parameter beliefs: the scenario's.
  /// - Returns: nil where there are no objects, or the heap was not read.
  package init?(about film: Film, beliefs: [Belief] = []) {
    let objects = film.report.objects.filter { $0.created > 0 }
    guard let object = objects.first(where: { $0.alive > 0 }) ?? objects.first,
      let heap = film.report.heap, film.moments.last?.graph != nil
    else { return nil }
    (type, self.film, self.beliefs) = (object.type, film, beliefs)
    let roots = heap.paths.filter { $0.type == object.type }.map(\.root.kind)
    let isOnCycle = film.moments.last?.leads(to: object.type, from: .cycle) == true
    let causes: [Cause] = roots.compactMap(Cause.init) + (isOnCycle ? [.cycle] : [])
    answers = object.alive == 0 ? [.nobody] : Set(causes)
    guard !answers.isEmpty else { return nil }
  }

  /// The question.
  package var text: String { "What holds \(type) in the end?" }

  /// What to say to an answer: whether it is right, which step shows it, and why people give it.
  package func reply(to answer: Cause) -> [Saying] {
    if answers.contains(answer) { return [Saying("Right."), evidence(for: answer)] }
    let belief = beliefs.first { $0.cause == answer }
    let right = answers.contains(.nobody) ? nil : evidence(for: .task)
    return [belief.map { Saying($0.because) }, refutation(of: answer), right].compactMap(\.self)
  }

  /// Every sentence that a reply may have, beside what scenarios say of people's beliefs.
  package static let sentences =
    ["Right.", deinitialises, neverAtRest, isHeld, butDeinitialises, butAlive]
    + Cause.allCases.filter { $0 != .nobody }.flatMap { [butTaken($0), butShown($0)] }

  private static let deinitialises = "Step #1 deinitialises it."
  private static let neverAtRest = "It was never alive at rest."
  private static let isHeld = "Step #1 shows it held by #2."
  private static let butDeinitialises = "But step #1 deinitialises it, so nothing holds it."
  private static let butAlive = "But step #1 shows it alive, with a retain count of #2."

  private static func butTaken(_ cause: Cause) -> String {
    "But step #1 takes that away: \(cause.arrow) leads to it any more."
  }

  private static func butShown(_ cause: Cause) -> String {
    "But step #1 shows all that holds it: \(cause.arrow) leads to it."
  }

  private func evidence(for answer: Cause) -> Saying {
    if answer == .nobody {
      return deinitialised.map { Saying(Self.deinitialises, $0) } ?? Saying(Self.neverAtRest)
    }
    let holders = film.report.holders(of: type).joined(separator: ", ")
    return Saying(Self.isHeld, film.moments.count, holders)
  }

  private func refutation(of answer: Cause) -> Saying {
    let last = film.moments.count
    if let deinitialised { return Saying(Self.butDeinitialises, deinitialised) }
    guard answer != .nobody else {
      let object = film.moments.last?.picture?.objects.first { $0.type == type }
      return Saying(Self.butAlive, last, object?.retainCount ?? 0)
    }
    let held = film.moments.map { $0.leads(to: type, from: answer) }
    if let place = held.lastIndex(of: true), place + 1 < last {
      return Saying(Self.butTaken(answer), place + 2)
    }
    return Saying(Self.butShown(answer), last)
  }

  // The number of the step that releases the last object of the type.
  private var deinitialised: Int? {
    guard answers == [.nobody] else { return nil }
    return film.moments.last {
      $0.step.changes.contains {
        $0.hasPrefix("- ") && !$0.hasPrefix("- task ") && $0.hasSuffix(" \(type)")
      }
    }?.step.index
  }
}

extension Moment {
  /// Whether such a cause leads to an object of a type, by any way.
  fileprivate func leads(to type: String, from cause: Cause) -> Bool {
    guard let picture else { return false }
    let names = Set(picture.objects.filter { $0.type == type }.map(\.name))
    let held = picture.graph.nodes.indices.filter { names.contains(picture.graph.nodes[$0].name) }
    let above = picture.graph.holders(of: held)
    guard cause != .cycle else { return above.contains { picture.graph.isOnCycle($0) } }
    return above.contains { place in
      let node = picture.graph.nodes[place]
      return node.kind == .root && node.name.hasPrefix(cause.rawValue + " ")
    }
  }
}

extension Cause {
  /// The cause at a chain's root; nil where nothing that was recorded holds the object.
  init?(_ root: RetainChain.Root.Kind) {
    // They have the same names, and `unknown` is not a cause.
    self.init(rawValue: root.rawValue)
  }

  /// The arrow that would be in a picture if this were the cause.
  var arrow: String {
    switch self {
    case .variable: "no arrow from a variable"
    case .cycle: "no circle of arrows"
    case .task: "no arrow from a task"
    case .global: "no arrow from a global variable"
    case .nobody: "no arrow"
    }
  }
}
