import MemlabHeapModel

/// What happens after a step of an ending that no scenario declares: a task is cancelled, a variable is
/// dropped, or the steps end there, so that everything is dropped that their code holds.
///
/// As text it is `2:stop`, `2:cancel:reader`, `2:cancel+stop:reader#2` for the second task of that name,
/// or `2:drop:planet`.
package struct Variation: Sendable {
  /// What is done.
  package enum Action: String, Sendable {
    /// Nothing but to stop.
    case stop
    /// A task is cancelled.
    case cancel
    /// A variable that has a name in the pictures holds nothing any more.
    case drop
  }

  /// The step after which it happens, from 1.
  package let step: Int
  /// What is done.
  package let action: Action
  /// The name of the task or of the variable; empty where there is none.
  package let name: String
  /// Which of the unfinished tasks of this name, in order of creation, from 1.
  package let number: Int
  /// Whether no step follows.
  package let stops: Bool

  /// What happens after a step.
  package init(
    after step: Int, _ action: Action, _ name: String = "", _ number: Int = 1, stops: Bool
  ) {
    (self.step, self.action, self.name, self.number) = (step, action, name, number)
    self.stops = stops || action == .stop
  }

  /// Reads the text of one.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
    guard parts.count >= 2, let step = Int(parts[0]), step > 0 else { return nil }
    let words = parts[1].split(separator: "+", omittingEmptySubsequences: false)
    guard let action = Action(rawValue: String(words[0])),
      words.dropFirst().allSatisfy({ $0 == "stop" }),
      (parts.count == 3) == (action != .stop)
    else { return nil }
    var (name, number) = (parts.count == 3 ? parts[2] : "", 1)
    if let sign = name.lastIndex(of: "#"), let counted = Int(name[name.index(after: sign)...]) {
      (number, name) = (max(1, counted), String(name[..<sign]))
    }
    self.init(after: step, action, name, number, stops: words.count > 1)
  }

  /// The text, as ``init(_:)`` reads it.
  package var text: String {
    let isAlone = action == .stop
    let end = isAlone ? "" : ":" + name + (number > 1 ? "#\(number)" : "")
    return "\(step):\(action.rawValue)\(stops && !isAlone ? "+stop" : "")\(end)"
  }

  /// What is done, as a phrase.
  package var inWords: String {
    switch action {
    case .stop: "the steps end"
    case .cancel: "task \(name) is cancelled" + (number > 1 ? ", the \(number). of that name" : "")
    case .drop: "the variable \(name) is dropped"
    }
  }

  /// How much of a way it is: an earlier step, and less done, is a shorter one.
  package var length: Int { step * 4 + (action == .stop ? 0 : 2) + (stops ? 0 : 1) }

  /// The tasks of one name that are tried at most.
  private static let mostTasks = 3

  /// All variations of an ending.
  ///
  /// - Parameter film: what was measured after each of its steps.
  package static func all(of film: Film) -> [Variation] {
    film.moments.enumerated().flatMap { index, moment in
      let (step, isLast) = (index + 1, index + 1 == film.moments.count)
      let stops = isLast ? [true] : [true, false]
      func ways(_ action: Action, _ name: String, _ number: Int) -> [Variation] {
        stops.map { Variation(after: step, action, name, number, stops: $0) }
      }
      let tasks = moment.totals.tasks.flatMap { task in
        (0..<min(mostTasks, max(0, task.live))).flatMap { ways(.cancel, task.name, $0 + 1) }
      }
      guard !isLast else { return tasks }
      let variables = (moment.graph?.variables ?? []).flatMap { ways(.drop, $0, 1) }
      return [Variation(after: step, .stop, stops: true)] + tasks + variables
    }
  }

  /// Does it.
  ///
  /// - Parameters:
  ///   - ledger: that of the trial.
  ///   - witness: what finds tasks.
  /// - Throws: ``UnfitVariation`` where the task or the variable is not there.
  func act(in ledger: Ledger, _ witness: (any HeapWitness)?) throws(UnfitVariation) {
    switch action {
    case .stop: break
    case .cancel:
      guard let witness, witness.cancel(task: name, number: number) else {
        throw UnfitVariation(description: "no task \(name) is there to be cancelled")
      }
    case .drop:
      let address = ledger.variables.first { $0.value == name }?.key
      let object = address.flatMap { UnsafeRawPointer(bitPattern: $0) }
        .map { Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
      guard let variable = object as? any Emptiable else {
        throw UnfitVariation(description: "there is no variable \(name) that could be empty")
      }
      variable.makeEmpty()
    }
  }
}

extension OwnershipGraph {
  /// The names of the variables in it.
  fileprivate var variables: [String] {
    nodes.filter { $0.kind == .root }.compactMap { $0.name.afterPrefix("variable ") }.uniqued()
  }
}

/// The steps of an ending end because a ``Variation`` says so.
struct EndOfVariation: Error {}

/// What a variation names is not there, so that it cannot be tried.
struct UnfitVariation: Error, CustomStringConvertible { let description: String }

/// A variable that may hold nothing.
private protocol Emptiable { func makeEmpty() }

extension Variable: Emptiable where Value: ExpressibleByNilLiteral {
  fileprivate func makeEmpty() { wrappedValue = nil }
}
