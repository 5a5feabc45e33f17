package import MemlabHeapModel

/// What a scenario declares that one of its endings measures.
public struct Declaration: Sendable {
  /// The verdict.
  package internal(set) var verdict: Verdict
  /// Objects by type, in the order in which the report lists them.
  package internal(set) var objects: [ObjectCount]
  /// Tasks by name, in the order in which the report lists them.
  package internal(set) var tasks: [TaskCount]
  /// The scenario's own figures.
  package internal(set) var metrics: [Metric: Int]
  /// Who holds each survivor, by type.
  package internal(set) var held: [String: DeclaredHolder]

  /// What is declared for other orders of the same jobs; empty where the order makes no difference.
  package private(set) var inOtherOrders: [Declaration] = []

  /// Whether anything is declared at all.
  package private(set) var isBinding = true

  /// Whether what is measured is compared with what was recorded in a file.
  package internal(set) var isRecorded = false

  /// Whether it waits to be recorded.
  package var isUnrecorded: Bool { isRecorded && !isBinding }

  /// Declares nothing, for an ending with a random result: every measurement is as expected.
  public static let nothing = changed(Declaration(.clean)) { $0.isBinding = false }

  /// Declares what `check --record` has written into a file, for `check` to compare with.
  public static let recorded = changed(nothing) { $0.isRecorded = true }

  /// A declaration. What it leaves out must not be measured.
  ///
  /// - Parameters:
  ///   - verdict: the verdict.
  ///   - objects: objects by type.
  ///   - tasks: tasks by name.
  ///   - metrics: the scenario's own figures.
  ///   - held: who holds each survivor, by type.
  public init(
    _ verdict: Verdict, objects: [ObjectCount] = [], tasks: [TaskCount] = [],
    metrics: [Metric: Int] = [:], held: [String: DeclaredHolder] = [:]
  ) {
    (self.verdict, self.objects, self.tasks) = (verdict, objects, tasks)
    (self.metrics, self.held) = (metrics, held)
  }

  /// The same, with who holds each survivor.
  public func with(held: [String: DeclaredHolder]) -> Declaration {
    changed(self) { ($0.held, $0.isBinding, $0.isRecorded) = (held, true, false) }
  }

  /// The same, but other orders of the same jobs lead to other results.
  ///
  /// - Parameter others: the results of other orders. `--schedules all` must find each of them.
  public func inOtherOrders(_ others: Declaration...) -> Declaration {
    changed(self) { $0.inOtherOrders = others }
  }

  /// Whether these counts are the declared ones, for some order of the jobs.
  func isMet(by totals: Totals) -> Bool {
    !isBinding
      || ([self] + inOtherOrders).contains {
        $0.differences(from: totals, verdict: $0.verdict).isEmpty
      }
  }

  /// The declaration that these counts meet, for some order of the jobs; this one if they meet none.
  func forOrder(leadingTo totals: Totals, verdict: Verdict) -> Declaration {
    inOtherOrders.first { $0.differences(from: totals, verdict: verdict).isEmpty } ?? self
  }

  /// Measured counts in the declared order; those that were not declared come last.
  func ordered<Count: Counted>(_ measured: [Count]) -> [Count] {
    let declared = objects.map(\.type) + tasks.map(\.name)
    let known = declared.flatMap { name in measured.filter { $0.name == name } }
    return known + measured.filter { !declared.contains($0.name) }
  }

  /// Each way in which a measurement differs from this declaration, as a sentence.
  package func differences(from totals: Totals, verdict: Verdict) -> [String] {
    guard isBinding else { return isRecorded ? [Self.unrecorded] : [] }
    let verdicts = "verdict: expected \(self.verdict.rawValue), measured \(verdict.rawValue)"
    return (verdict == self.verdict ? [] : [verdicts])
      + differences("", objects, totals.objects, \.inWords)
      + differences("task ", tasks, totals.tasks, \.inWords)
      + metricDifferences(from: totals.metrics)
  }

  private func differences<Count: Counted & Equatable>(
    _ kind: String, _ expected: [Count], _ measured: [Count], _ words: (Count) -> String
  ) -> [String] {
    (expected + measured).map(\.name).uniqued().compactMap { name in
      let (expected, measured) = (expected[name], measured[name])
      guard expected != measured else { return nil }
      return "\(kind)\(name): expected \(words(expected)), measured \(words(measured))"
    }
  }

  // For someone who has just written a scenario, it is the first difference that they see.
  private static let unrecorded =
    "nothing is recorded for this ending, and nothing declared in code; run check --record"

  /// Each survivor whose holder is not the declared one, as a sentence.
  func differences(from heap: HeapReport) -> [String] {
    guard isBinding else { return [] }
    let missing = held.filter { type, _ in !heap.paths.contains { $0.type == type } }
    // Where a type should have no survivors, the count already differs.
    let undeclared = heap.paths.filter { chain in
      objects[chain.type].alive > 0 && held[chain.type]?.matches(chain) != true
    }
    return missing.sorted { $0.key < $1.key }.map {
      "\($0.key): expected to be held by \($0.value), but the heap has none"
    }
      + Set(undeclared.map { "\($0.type): the heap has it held by \($0.holder)" }).sorted().map {
        "\($0), which is not declared"
      }
  }

  private func metricDifferences(from measured: [Metric: Int]) -> [String] {
    Set(metrics.keys).union(measured.keys).sorted().compactMap { name in
      guard metrics[name] != measured[name] else { return nil }
      let words = [metrics[name], measured[name]].map { $0.map { "\($0)" } ?? "nothing" }
      return "\(name): expected \(words[0]), measured \(words[1])"
    }
  }
}

/// Who is declared to hold a survivor in the end.
public struct DeclaredHolder: Sendable, Hashable, CustomStringConvertible {
  /// What is declared.
  package enum Kind: Sendable, Hashable {
    /// This holder.
    case holder(Holder)
    /// Anybody, as long as the chain begins at such a root: many objects hold each other, and no one
    /// edge is to blame.
    case root(RetainChain.Root.Kind)
    /// One of several: which of them is nearest to a root depends on what ran before.
    case anyOf([DeclaredHolder])
    /// The holder that a report describes so.
    case described(String)
  }

  /// What is declared.
  package let kind: Kind

  /// A declaration of this kind.
  package init(_ kind: Kind) { self.kind = kind }

  /// A task of this name.
  public static func task(_ name: String) -> DeclaredHolder { DeclaredHolder(.holder(.task(name))) }

  /// A stored property of an object of this type.
  ///
  /// - Parameters:
  ///   - name: the property's name.
  ///   - type: the type's short name, without what it is generic over.
  public static func field(_ name: String, of type: String) -> DeclaredHolder {
    DeclaredHolder(.holder(.field(name, of: type)))
  }

  /// Objects that hold each other, and that nothing else holds.
  public static let aCycle = DeclaredHolder(.root(.cycle))

  /// Something that a global variable leads to.
  public static let aGlobal = DeclaredHolder(.root(.global))

  /// Memory that is older than the trial.
  public static let olderMemory = DeclaredHolder(.root(.unknown))

  /// One of several.
  public static func anyOf(_ holders: DeclaredHolder...) -> DeclaredHolder {
    DeclaredHolder(.anyOf(holders))
  }

  /// Whether a chain ends as declared.
  func matches(_ chain: RetainChain) -> Bool {
    switch kind {
    case .holder(let holder): holder == chain.holder
    case .root(let kind): kind == chain.root.kind
    case .anyOf(let holders): holders.contains { $0.matches(chain) }
    case .described(let text): text == chain.holder.description
    }
  }

  /// `task forwarder`, `a cycle or older memory`.
  public var description: String {
    switch kind {
    case .holder(let holder): holder.description
    case .root(.unknown): "older memory"
    case .root(let kind): "a \(kind.rawValue)"
    case .anyOf(let holders): holders.map(\.description).joined(separator: " or ")
    case .described(let text): text
    }
  }
}

/// A sentence of a document, turned into a predicate over what is measured.
public struct Claim: Sendable {
  /// What a scenario declares of a claim.
  public enum Outcome: Sendable {
    /// The measurement confirms the sentence.
    case holds
    /// The measurement contradicts the sentence, for this reason.
    case fails(because: String)
  }

  /// The sentence in English.
  public let text: String
  /// The sentence as the document has it, to be found there by searching.
  public let original: String
  /// Where the sentence is from; nil for the scenario's own document.
  public let source: Document?
  /// What the scenario's author found.
  public let outcome: Outcome
  private let predicate: @Sendable (Measurement) -> Bool

  /// A claim.
  ///
  /// - Parameters:
  ///   - text: the sentence in English.
  ///   - original: the sentence as the document has it; nil where it is the same.
  ///   - source: where the sentence is from; nil for the scenario's own document.
  ///   - outcome: what the scenario's author found.
  ///   - predicate: whether a measurement confirms the sentence.
  public init(
    _ text: String, original: String? = nil, from source: Document? = nil,
    _ outcome: Outcome = .holds, when predicate: @escaping @Sendable (Measurement) -> Bool
  ) {
    (self.text, self.original, self.source) = (text, original ?? text, source)
    (self.outcome, self.predicate) = (outcome, predicate)
  }

  /// Compares the sentence with a measurement.
  func result(for measurement: Measurement) -> ClaimResult {
    let holds = predicate(measurement)
    let reason: String? = if case .fails(let reason) = outcome { reason } else { nil }
    return ClaimResult(
      text: text, original: original, source: source.map(ClaimResult.Source.init), holds: holds,
      asExpected: holds == (reason == nil), because: reason)
  }
}

/// A sentence of a document, held against a measurement.
package struct ClaimResult: Codable, Sendable {
  /// Another document than the scenario's own.
  package struct Source: Codable, Sendable, Hashable {
    /// The file name under which the text is kept, or its address.
    package let document: String
    /// Its title, in English.
    package let title: String

    fileprivate init(_ source: Document) { (document, title) = (source.file, source.title) }
  }

  /// The sentence in English.
  package let text: String
  /// The sentence as the document has it.
  package let original: String
  /// Where the sentence is from; nil for the scenario's own document.
  package let source: Source?
  /// Whether the measurement confirms it.
  package let holds: Bool
  /// Whether that is what the scenario declares.
  package let asExpected: Bool
  /// Why the sentence does not hold, where the scenario declares so.
  package let because: String?

  /// The sentence that tells an unexpected result.
  var surprise: String {
    "claim \"\(text)\": expected to \(holds ? "fail, but it holds" : "hold, but it fails")"
  }
}
