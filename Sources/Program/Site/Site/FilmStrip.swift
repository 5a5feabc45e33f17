import MemlabKit

/// The pictures of a film's steps, all in one layout: what stays is at the same place in all of them.
struct FilmStrip {
  /// Everything that any step shows.
  private(set) var all = OwnershipGraph(nodes: [], edges: [])
  /// The pictures; nil until they have a place in a page.
  private(set) var series: GraphSeries?
  /// How each step draws it; nil after a step at which the heap was not read.
  private(set) var frames: [GraphSeries.Picture?] = []
  // What is to be seen after each step.
  private var seen: [Scene?] = []

  /// The boxes and arrows of one step, by their names.
  private struct Scene: Equatable {
    /// The names of the boxes.
    var boxes: Set<String>
    /// What the arrows join, and how.
    var arrows: Set<[String]>

    /// What is to be seen in a graph.
    init(_ graph: OwnershipGraph) {
      boxes = Set(graph.nodes.map(\.name))
      arrows = Set(graph.edges.map { graph.words(of: $0) })
    }

    /// Whether nothing in the other is missing here.
    func shows(_ other: Scene) -> Bool {
      boxes.isSuperset(of: other.boxes) && arrows.isSuperset(of: other.arrows)
    }
  }

  // The strong references to the objects after each step, by the names of the boxes.
  private var counts: [[String: Int]] = []

  /// The pictures of a film, with what its code declares.
  private init(_ film: Film, _ codes: [FilmReel.Code], isClosed: Bool) {
    let declared = DeclaredReferences(codes)
    let graphs = film.moments.map { $0.graph.map(declared.added) }
    let folded = FoldedPictures(isClosed ? LibraryInsides(film, codes).closed(in: graphs) : graphs)
    self.init(folded.graphs)
    counts = film.moments.map { moment in
      let objects = (moment.picture?.objects ?? []).compactMap { object in
        object.retainCount.map { (folded.name(of: object.name), $0) }
      }
      return Dictionary(objects) { first, _ in first }
    }
    draw(in: all)
  }

  /// The pictures of these graphs, one after the other.
  init(_ graphs: [OwnershipGraph?]) {
    seen = graphs.map { $0.map(Scene.init) }
    draw(in: OwnershipGraph.union(of: graphs.compactMap(\.self)))
  }

  /// The pictures of an ending of a scenario; none where it was not filmed.
  ///
  /// - Parameter isClosed: whether the insides of a library are one box.
  init(_ filmed: FilmedEnding, of reel: FilmReel, isClosed: Bool = false) {
    self = filmed.film.map { FilmStrip($0, reel.code, isClosed: isClosed) } ?? FilmStrip([])
  }

  /// The same strips with places in a page, and the shapes that they use.
  ///
  /// A strip that shows nothing which another does not show too is drawn in that one's places: both
  /// can be compared, and share their shapes.
  ///
  /// - Parameter anchor: what the ids of the shapes begin with.
  static func placed(
    _ strips: [FilmStrip], at anchor: String = ""
  ) -> (strips: [FilmStrip], definitions: Markup) {
    var drawn: [(graph: OwnershipGraph, series: GraphSeries)] = []
    let placed = strips.map { strip in
      let graphs = strips.map(\.all).filter { Scene($0).shows(Scene(strip.all)) }
      let graph = graphs.reduce(graphs[0]) { $1.size > $0.size ? $1 : $0 }
      var strip = strip
      strip.draw(in: graph)
      if let same = drawn.first(where: { $0.graph == graph }) {
        strip.series = same.series
      } else {
        let place = drawn.isEmpty ? "" : String(drawn.count)
        let series = GraphSeries(of: graph, anchor: anchor + place, title: "Who holds whom")
        drawn.append((graph, series))
        strip.series = series
      }
      return strip
    }
    return (placed, Markup(drawn.filter { !$0.graph.nodes.isEmpty }.map(\.series.definitions)))
  }

  /// The same with places for all that the other shows, so that both can be compared.
  func sharingPlaces(with other: FilmStrip) -> FilmStrip {
    var strip = self
    // Both sides name the boxes in one order, and so get one layout.
    let (most, least) = all.size >= other.all.size ? (all, other.all) : (other.all, all)
    strip.draw(in: OwnershipGraph.union(of: [most, least]))
    return strip
  }

  /// How many boxes and arrows are to be seen after a step.
  func size(at place: Int) -> Int { seen[place].map { $0.boxes.count + $0.arrows.count } ?? 0 }

  private mutating func draw(in graph: OwnershipGraph) {
    all = graph
    frames = seen.indices.map { place in
      seen[place].map { scene in
        var picture = parts(of: scene, after: place > 0 ? seen[place - 1] : nil)
        for (box, node) in graph.nodes.enumerated() where place < counts.count {
          guard let now = counts[place][node.name] else { continue }
          let before = place > 0 ? counts[place - 1][node.name] : nil
          picture.counts[box] = (now, before == now ? nil : before)
        }
        return picture
      }
    }
  }

  /// The same with those arrows lit that the other pictures do not have.
  func lit(against other: FilmStrip) -> FilmStrip {
    var strip = self
    for place in frames.indices {
      let there = place < other.seen.count ? other.seen[place] : other.seen.last ?? nil
      let lit = all.edges.indices.filter { arrow in
        let (state, key) = (frames[place]?.arrows[arrow], all.words(of: all.edges[arrow]))
        return (state == .same || state == .new) && !(there?.arrows.contains(key) ?? false)
      }
      strip.frames[place]?.lit = Set(lit)
    }
    return strip
  }

  private func parts(of scene: Scene, after before: Scene?) -> GraphSeries.Picture {
    GraphSeries.Picture(
      boxes: all.nodes.map { node in
        Self.state(
          isHere: scene.boxes.contains(node.name), wasHere: before?.boxes.contains(node.name))
      },
      arrows: all.edges.map { edge in
        let key = all.words(of: edge)
        return Self.state(isHere: scene.arrows.contains(key), wasHere: before?.arrows.contains(key))
      })
  }

  /// What is there at first is not new: there is nothing that it would be new beside.
  private static func state(isHere: Bool, wasHere: Bool?) -> GraphPart {
    if isHere { return wasHere ?? true ? .same : .new }
    return wasHere ?? false ? .gone : .absent
  }
}

extension OwnershipGraph {
  /// How many boxes and arrows it has.
  fileprivate var size: Int { nodes.count + edges.count }
}
