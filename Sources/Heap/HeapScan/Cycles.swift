/// Groups of blocks each of which leads to every other: Tarjan's algorithm, without recursion.
struct Cycles {
  private let edges: EdgeList
  /// By the order of visits: the lowest place that the block is known to lead to, and whether its group
  /// is open.
  private var visited: [(low: Int32, isOpen: Bool)] = []
  private var open: [Int] = []
  private var visits: [Visit] = []
  private var groups: [[Int]] = []

  /// A number for each block.
  typealias Places = ContiguousArray<UInt32>

  private struct Visit {
    var block: Int
    var place: Int
    var rest: Range<Int>
  }

  // Above the places of all visits, and below what stands for a block that was reached.
  private static let isReached: UInt32 = 1 << 29

  /// The groups among the blocks that weren't reached yet; those that others lead to come first.
  ///
  /// - Parameters:
  ///   - rest: these blocks.
  ///   - places: room for a number for each block: zero for these, and as it was afterwards.
  static func find(_ edges: EdgeList, in rest: [Int], places: inout Places) -> [[Int]] {
    var search = Cycles(edges: edges)
    for block in rest where places[block] == 0 { search.visit(from: block, &places) }
    for block in rest { places[block] = 0 }
    return search.groups
  }

  private mutating func visit(from start: Int, _ places: inout Places) {
    enter(start, &places)
    while let visit = visits.last {
      guard let edge = visit.rest.first else {
        visits.removeLast()
        leave(visit, holder: visits.last, places)
        continue
      }
      visits[visits.count - 1].rest.removeFirst()
      let target = edges.target(edge)
      let place = places[target]
      if edges.isStale(edge) || place >= Self.isReached { continue }
      if place == 0 {
        enter(target, &places)
      } else if visited[Int(place) - 1].isOpen {
        lower(visit.place, to: Int32(place) - 1)
      }
    }
  }

  private mutating func lower(_ place: Int, to low: Int32) {
    visited[place].low = min(visited[place].low, low)
  }

  private mutating func enter(_ block: Int, _ places: inout Places) {
    let place = visited.count
    places[block] = UInt32(place + 1)
    visited.append((low: Int32(place), isOpen: true))
    open.append(block)
    visits.append(Visit(block: block, place: place, rest: edges.edges(of: block)))
  }

  private mutating func leave(_ visit: Visit, holder: Visit?, _ places: Places) {
    let low = visited[visit.place].low
    if let holder { lower(holder.place, to: low) }
    guard low == visit.place, let first = open.lastIndex(of: visit.block) else { return }
    for block in open[first...] { visited[Int(places[block]) - 1].isOpen = false }
    if first + 1 < open.count || holdsItself(visit.block) {
      groups.append(open[first...].reversed())
    }
    open.removeSubrange(first...)
  }

  private func holdsItself(_ block: Int) -> Bool {
    edges.edges(of: block).contains { edges.target($0) == block && !edges.isStale($0) }
  }
}
