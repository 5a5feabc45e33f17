import MemlabHeapModel
import MemlabHeapReader
import Testing

@Suite("A stretch of memory") struct RegionTests {
  /// Calls `body` with a stretch in the middle of a buffer, so that both sides could be read too.
  private func withRegion(_ bytes: [UInt8], _ body: (Region) -> Void) {
    let buffer = [UInt8](repeating: 0x41, count: 64) + bytes + [UInt8](repeating: 0x41, count: 64)
    buffer.withUnsafeBytes { buffer in
      let start = UInt(bitPattern: buffer.baseAddress) + 64
      body(Region(proven: start, count: UInt(bytes.count)))
    }
  }

  @Test("is read up to its end and no further") func bounds() {
    withRegion([1, 0, 0, 0, 0, 0, 0, 0, 2, 3]) { region in
      #expect(region.word(at: region.start) == 1)
      #expect(region.word(at: region.start + 2) == 0x302_0000_0000_0000)
      #expect(region.word(at: region.start + 3) == nil)
      #expect(region.uint32(at: region.end - 4) == 0x302_0000)
      #expect(region.uint32(at: region.end - 3) == nil)
      #expect(region.byte(at: region.end - 1) == 3)
      #expect(region.byte(at: region.end) == nil)
      #expect(region.byte(at: region.start - 1) == nil)
      #expect(region.relative(at: region.end - 4) == region.end - 4 + 0x302_0000)
    }
  }

  @Test("is asked for any address", arguments: [0, 1, 1 << 62, UInt.max - 7, UInt.max])
  func wild(address: UInt) {
    withRegion([1, 2, 3, 4]) { region in
      #expect(region.word(at: address) == nil)
      #expect(region.uint32(at: address) == nil)
      #expect(region.byte(at: address) == nil)
      #expect(region.text(at: address) == nil)
    }
    #expect(Region(proven: address, count: .max).count <= UInt.max)
  }

  @Test("has text only where it ends in it") func text() {
    withRegion(Array("yes\0no".utf8)) { region in
      #expect(region.text(at: region.start) == "yes")
      #expect(region.text(at: region.start + 3) == "")
      #expect(region.text(at: region.start + 4) == nil)
    }
  }

  @Test(
    "has a mangled name only where it ends in it",
    arguments: [
      ("Si\0", true), ("Si", false), ("\u{1}abcd\0", true), ("\u{1}ab", false), ("\0", false),
    ]
  )
  func mangledName(bytes: String, isWhole: Bool) {
    withRegion(Array(bytes.utf8)) { region in
      #expect((MangledName(at: region.start, in: region) != nil) == isWhole)
    }
  }

  @Test("tells from a name how a property refers to an object") func ownership() {
    for (name, ownership) in [
      ("SiXw", ReferenceOwnership.weak), ("SoXo", .unowned), ("SoXu", .unowned), ("Si", .none),
      ("SpySiG", .pointer), ("Sv", .pointer),
    ] {
      withRegion(Array("\(name)\0".utf8)) { region in
        #expect(MangledName(at: region.start, in: region)?.plainOwnership == ownership, "\(name)")
      }
    }
  }
}
