/// Groups of blocks each of which leads to every other: Tarjan's algorithm, without recursion.
struct Cycles {
  private var edges: EdgeList
  private var order: [Int: Int] = [:]
  private var low: [Int: Int] = [:]
  private var stack: [Int] = []
  private var isOnStack = Set<Int>()
  private var groups: [[Int]] = []

  private struct Visit {
    var block: Int
    var rest: Range<Int>
  }

  /// The groups among the blocks that weren't reached yet; those that others lead to come first.
  static func find(
    edges: EdgeList, in rest: [Int], among origins: ContiguousArray<Reach.Origin>
  ) -> [[Int]] {
    var search = Cycles(edges: edges)
    for block in rest where search.order[block] == nil {
      search.visit(from: block) { origins[$0] == .none }
    }
    return search.groups
  }

  private init(edges: EdgeList) { self.edges = edges }

  private mutating func visit(from start: Int, isWanted: (Int) -> Bool) {
    var visits = [enter(start)]
    while var visit = visits.popLast() {
      if let edge = visit.rest.popFirst() {
        let target = Int(edges.targets[edge])
        visits.append(visit)
        if edges.kinds[edge] == .stale || !isWanted(target) { continue }
        if order[target] == nil {
          visits.append(enter(target))
        } else if isOnStack.contains(target) {
          low[visit.block] = min(low[visit.block] ?? 0, order[target] ?? 0)
        }
      } else {
        leave(visit.block, holder: visits.last?.block)
      }
    }
  }

  private mutating func enter(_ block: Int) -> Visit {
    order[block] = order.count
    low[block] = order[block]
    stack.append(block)
    isOnStack.insert(block)
    return Visit(block: block, rest: edges.edges(of: block))
  }

  private mutating func leave(_ block: Int, holder: Int?) {
    if let holder { low[holder] = min(low[holder] ?? 0, low[block] ?? 0) }
    guard low[block] == order[block] else { return }
    var group: [Int] = []
    repeat {
      let last = stack.removeLast()
      isOnStack.remove(last)
      group.append(last)
    } while group.last != block
    let holdsItself = edges.edges(of: block).contains {
      Int(edges.targets[$0]) == block && edges.kinds[$0] != .stale
    }
    if group.count > 1 || holdsItself { groups.append(group) }
  }
}
