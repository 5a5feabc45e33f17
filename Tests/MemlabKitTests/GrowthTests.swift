import MemlabKit
import Testing

@Suite("Growth over rounds") struct GrowthTests {
  private static func growth(_ blocks: [Int], instances: Int = 10) -> Growth {
    Growth(instances: instances, liveBytes: blocks.map { $0 * 100 }, liveBlocks: blocks)
  }

  @Test("is a slope per run, the first round left out") func slope() {
    let growth = Self.growth([500, 520, 540, 560, 580])
    #expect(growth.trend == .grows)
    #expect(growth.blocksPerInstance == 2)
    #expect(growth.bytesPerInstance == 200)
    #expect(growth.fit == 1)
  }

  @Test("is not seen when any counted round leaves nothing more behind") func steady() {
    #expect(Self.growth([0, 10, 20, 20, 30]).trend == .steady)
    #expect(Self.growth([0, 7, 7, 7, 7]).trend == .steady)
  }

  @Test("is not told from fewer than four counted rounds") func tooFew() {
    #expect(Self.growth([0, 10, 20, 30]).trend == .unknown)
    #expect(Self.growth([0, 10, 20, 30, 40]).trend == .grows)
  }

  @Test("says how well a line fits") func fit() {
    let growth = Self.growth([0, 10, 20, 30, 80])
    #expect(growth.fit > 0.7 && growth.fit < 0.9)
  }
}
