package import MemlabKit
package import MemlabReports

/// The question which reference to cut, or to make weak, so that an object is deinitialised.
///
/// The answers are the references of the last picture of a film. Which of them is enough is computed
/// on that picture: without the reference, no root and no cycle may lead to the object.
package struct CutQuestion: Sendable {
  /// A reference that may be cut.
  package struct Choice: Sendable, Equatable {
    /// Who holds, in the picture.
    package let holder: String
    /// Who is held.
    package let held: String
    /// The property, or how else the reference is held.
    package let label: String
    /// Whether the object is deinitialised without it.
    package let isEnough: Bool

    /// `Moon → Planet (planet)`.
    package var inWords: String { "\(holder) → \(held)" + (label.isEmpty ? "" : " (\(label))") }
  }

  /// The object's type.
  package let type: String
  /// The references, in the order of the picture.
  package let choices: [Choice]

  /// The question about a film.
  ///
  /// - Returns: nil where nothing is left, where the picture has only one reference, or where no
  ///   single one is enough.
  package init?(about film: Film) {
    guard let object = film.report.objects.first(where: { $0.alive > 0 }),
      let picture = film.moments.last?.picture
    else { return nil }
    let graph = picture.graph
    let names = picture.objects.filter { $0.type == object.type }.map(\.name)
    let places = graph.nodes.indices.filter { names.contains(graph.nodes[$0].name) }
    choices = graph.edges.indices.filter { !graph.edges[$0].label.isEmpty }.prefix(6).map { index in
      let edge = graph.edges[index]
      return Choice(
        holder: graph.nodes[edge.from].name, held: graph.nodes[edge.to].name, label: edge.label,
        isEnough: !graph.holds(places, without: index))
    }
    type = object.type
    guard choices.count > 1, choices.contains(where: \.isEnough) else { return nil }
  }

  /// The question.
  package var text: String {
    "Which of these would you make weak, or cut, so that \(type) is deinitialised?"
  }

  /// What to say to an answer.
  package func reply(to choice: Choice) -> Saying {
    let enough = choices.filter(\.isEnough).map(\.inWords)
    let (isOne, all) = (enough.count == 1, enough.joined(separator: ", "))
    if !choice.isEnough { return Saying(isOne ? Self.notEnough : Self.noneEnough, type, all) }
    return isOne ? Saying(Self.right, type) : Saying(Self.anyOne, all)
  }

  /// Every sentence that a reply may be.
  package static let sentences = [notEnough, noneEnough, right, anyOne]

  private static let notEnough = "Not enough: without it, #1 is still held. Cut #2."
  private static let noneEnough = "Not enough: without it, #1 is still held. Cut one of these: #2."
  private static let right = "Right: without it, nothing leads to #1 any more."
  private static let anyOne = "Right: any one of these will do: #1."
}

extension OwnershipGraph {
  /// Some places, and all that leads to them.
  func holders(of places: [Int], without cut: Int? = nil) -> Set<Int> {
    boxes(from: places, along: edges.indices.filter { $0 != cut }, upwards: true)
  }

  /// Whether a place leads to itself.
  func isOnCycle(_ place: Int, without cut: Int? = nil) -> Bool {
    let direct = edges.indices.filter { edges[$0].to == place && $0 != cut }.map { edges[$0].from }
    return holders(of: direct, without: cut).contains(place)
  }

  /// Whether a root or a cycle leads to any of some places.
  ///
  /// - Parameter cut: the index of a reference that does not count.
  func holds(_ places: [Int], without cut: Int?) -> Bool {
    holders(of: places, without: cut).contains {
      nodes[$0].kind == .root || isOnCycle($0, without: cut)
    }
  }
}
