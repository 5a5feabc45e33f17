import CMemlabRecorder
import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  @Suite("What a snapshot is asked about") struct TracingTests {
    @Test("decides how long it takes, not what it says", arguments: [true, false])
    func sameAnswers(isAsked: Bool) throws {
      defer { globalHolder = nil }
      let types: Set = [isAsked ? name(Holder.self) : "Nobody"]
      try recorded {
        globalHolder = Holder()
        globalHolder?.any = globalHolder
        let all = try HeapSnapshot.take(scanningStack: false)
        let some = try HeapSnapshot.take(scanningStack: false, tracing: .survivors(of: types))
        #expect(some.retainChains(to: types) == all.retainChains(to: types))
        for snapshot in [some, all] {
          #expect(snapshot.liveInstances[name(Holder.self)] == 1)
          #expect(snapshot.cycles(of: Holder.self).isEmpty)
        }
        globalHolder?.any = nil
      }
    }

    @Test("a cycle without a root is seen though nobody asks about it") func unaskedCycle() throws {
      var screen: Unmanaged<Screen>?
      try recorded {
        let new = Screen()
        new.subscribe()
        screen = .passUnretained(new)
        let snapshot = try HeapSnapshot.take(scanningStack: false, tracing: .survivors(of: []))
        #expect(snapshot.cycleCount >= 1)
        #expect(snapshot.cycles(of: Screen.self).count == 1)
      }
      screen?.takeUnretainedValue().subscription = nil
    }

    @Test("words within a range are found wherever they stand", arguments: 0..<40)
    func wordsWithin(place: Int) {
      let (lowest, span): (UInt, UInt) = (0x7f00_0000_1000, 0x2000)
      let tag: UInt = 0x4200_0000_0000_0005
      let inside = [lowest, lowest + 8, lowest + span - 8, lowest + span, lowest | tag]
      let outside = [lowest - 8, lowest + span + 8, 0, .max, (lowest - 8) | tag, lowest | 1 << 55]
      for (index, word) in (inside + outside).enumerated() {
        var words = [UInt](repeating: outside[index % outside.count], count: 40)
        words[place] = word
        let wanted = words.indices.filter { inside.contains(words[$0]) }
        #expect(found(in: words, lowest, span, atMost: 64) == wanted)
        #expect(found(in: words, lowest, span, atMost: 16) == wanted)
      }
    }

    private func found(
      in words: [UInt], _ lowest: UInt, _ span: UInt, atMost capacity: Int
    ) -> [Int] {
      var found: [Int] = []
      words.withUnsafeBytes { bytes in
        let start = UInt(bitPattern: bytes.baseAddress)
        let end = start + UInt(bytes.count)
        var (next, count) = (start, 0)
        var places = [UInt](repeating: 0, count: capacity)
        while next + 8 <= end {
          next = words_within(
            next, end, 0x00ff_ffff_ffff_fff8, lowest, span, &places, capacity, &count)
          found += places.prefix(count).map { Int($0 - start) / 8 }
        }
      }
      return found
    }
  }
}
