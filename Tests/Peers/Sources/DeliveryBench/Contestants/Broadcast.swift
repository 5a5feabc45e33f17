import MemlabPatterns

extension Contestant {
  /// The actor in `Patterns`: a buffer for each consumer, and the source never waits.
  static let broadcast = Contestant(name: "AsyncBroadcastStream") { values, consumers in
    let broadcaster = AsyncBroadcastStream<Int>()
    var streams: [AsyncStream<Int>] = []
    for _ in 0..<consumers { streams.append(await broadcaster.stream()) }
    let counts = streams.map { stream in
      Task {
        var count = 0
        for await _ in stream { count += 1 }
        return count
      }
    }
    return await Lap.timing {
      for value in 0..<values { await broadcaster.yield(value) }
      await broadcaster.finish()
      return await counts.sum
    }
  }
}

extension [Task<Int, Never>] {
  /// What the tasks return, added up.
  var sum: Int {
    get async {
      var sum = 0
      for task in self { sum += await task.value }
      return sum
    }
  }
}
