import MemlabHeapModel

/// Groups of blocks each of which leads to every other: Tarjan's algorithm, without recursion.
struct Cycles {
  private let edges: EdgeList
  /// The place of each block in the order of visits; -1 for those not visited.
  private var places: ContiguousArray<Int32>
  /// By place: the lowest place that the block is known to lead to, and whether its group is open.
  private var visited: [(low: Int32, isOpen: Bool)] = []
  private var open: [Int] = []
  private var visits: [Visit] = []
  private var groups: [[Int]] = []

  private struct Visit {
    var block: Int
    var place: Int
    var rest: Range<Int>
  }

  /// The groups among the blocks that weren't reached yet; those that others lead to come first.
  static func find(
    edges: EdgeList, in rest: [Int], among origins: ContiguousArray<Reach.Origin>
  ) -> [[Int]] {
    var search = Cycles(edges: edges, blocks: origins.count)
    for block in rest where search.places[block] < 0 {
      search.visit(from: block) { origins[$0] == .none }
    }
    return search.groups
  }

  private init(edges: EdgeList, blocks: Int) {
    self.edges = edges
    places = ContiguousArray(repeating: -1, count: blocks)
  }

  private mutating func visit(from start: Int, isWanted: (Int) -> Bool) {
    enter(start)
    while let visit = visits.last {
      guard let edge = visit.rest.first else {
        visits.removeLast()
        leave(visit, holder: visits.last)
        continue
      }
      visits[visits.count - 1].rest.removeFirst()
      let target = Int(edges.targets[edge])
      if edges.kinds[edge] == .stale || !isWanted(target) { continue }
      if places[target] < 0 {
        enter(target)
      } else if visited[Int(places[target])].isOpen {
        lower(visit.place, to: places[target])
      }
    }
  }

  private mutating func lower(_ place: Int, to low: Int32) {
    visited[place].low = min(visited[place].low, low)
  }

  private mutating func enter(_ block: Int) {
    let place = visited.count
    places[block] = Int32(place)
    visited.append((low: Int32(place), isOpen: true))
    open.append(block)
    visits.append(Visit(block: block, place: place, rest: edges.edges(of: block)))
  }

  private mutating func leave(_ visit: Visit, holder: Visit?) {
    let low = visited[visit.place].low
    if let holder { lower(holder.place, to: low) }
    guard low == visit.place, let first = open.lastIndex(of: visit.block) else { return }
    for block in open[first...] { visited[Int(places[block])].isOpen = false }
    if first + 1 < open.count || holdsItself(visit.block) {
      groups.append(open[first...].reversed())
    }
    open.removeSubrange(first...)
  }

  private func holdsItself(_ block: Int) -> Bool {
    edges.edges(of: block).contains {
      Int(edges.targets[$0]) == block && edges.kinds[$0] != .stale
    }
  }
}
