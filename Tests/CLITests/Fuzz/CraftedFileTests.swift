import Foundation
import MemlabDumps
import MemlabHeapModel
import MemlabKit
import MemlabTerminalText
import MemlabWatch
import TestSupport
import Testing

@Suite("What somebody has made to do harm") struct CraftedFileTests {
  @Test("a program's file is read or refused") func program() async {
    await #expect(processExitsWith: .success, "\(Crafted.note("elf"))") {
      let program = CraftedElf.program.file
      let understood = Crafted.read("elf") { generator in
        var file = program
        file.spoil(0...3, using: &generator)
        _ = try ProgramFile(bytes: Data(file.bytes)).obstacle(machine: 62)
      }
      precondition(understood > Crafted.count / 2)
    }
  }

  @Test("the program that the others are made of is understood") func sound() throws {
    let file = try ProgramFile(bytes: Data(CraftedElf.program.file.bytes))
    #expect(file.libraries == ["libswiftCore.so", "libm.so.6"])
    #expect(file.loader == "/lib64/ld-linux-x86-64.so.2")
    #expect(file.sections.contains("swift5_types"))
    #expect(file.obstacle(machine: 62) == nil)
  }

  // What was found: each ended the process. The places are those of the first segment's offset, of the
  // strings' address and of a library's name in the table of the loader, and of the table of sections.
  @Test("a program's file is read where a sum of its numbers is too large") func sums() async {
    await #expect(processExitsWith: .success) {
      let (most, count) = (UInt64(Int.max), UInt64(CraftedElf.program.file.bytes.count))
      for changes in [
        [(72, most)], [(72, most - 328)], [(272, most)], [(40, most)], [(Int(count) - 40, most)],
      ] {
        var file = CraftedElf.program.file
        for (place, number) in changes { file.replace(place, with: number) }
        _ = try ProgramFile(bytes: Data(file.bytes))
      }
    }
  }

  @Test("a snapshot with facts that no process has is refused as damaged") func facts() throws {
    func isRefused(_ change: (inout HeapDump) -> Void) -> Bool {
      var dump = HeapDump()
      dump.things = [HeapNode(kind: .block(.instance), name: "App.Screen")]
      dump.blocks.serials = [3]
      (dump.blocks.sizes, dump.blocks.things, dump.blocks.holders) = ([64], [0], [-1])
      (dump.blocks.origins, dump.blocks.found, dump.blocks.counts) = ([.root], [1], [1])
      dump.starts = [0, 0]
      change(&dump)
      return (try? HeapDump(bytes: Array(dump.bytes))) == nil
    }
    #expect(!isRefused { _ in })
    for time: Int64 in [.min, -1, 1 << 33, .max] { #expect(isRefused { $0.facts.time = time }) }
    for bytes in [UInt64(Int.max), .max] {
      #expect(isRefused { $0.facts.residentBytes = bytes })
      #expect(isRefused { $0.facts.allocatorBytes = bytes })
    }
    for serial in [1 << 38, UInt64.max] { #expect(isRefused { $0.blocks.serials[0] = serial }) }
  }

  @Test("a snapshot is read or refused, and all that is made of it can be printed")
  func snapshot() async {
    await #expect(processExitsWith: .success, "\(Crafted.note("snapshot"))") {
      let understood = Crafted.read("snapshot") { generator in
        var bytes = Array(HeapDump(crafted: &generator).bytes)
        if Int.random(in: 0..<8, using: &generator) == 0 {
          bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
            in: 0...255, using: &generator)
        }
        try CraftedFileTests.print(HeapDump(bytes: bytes), using: &generator)
      }
      precondition(understood > Crafted.count / 10)
    }
  }

  @Test("an agent's answer is read or refused") func answer() async {
    await #expect(processExitsWith: .success, "\(Crafted.note("answer"))") {
      let understood = Crafted.read("answer") { generator in
        let bytes = CraftedFileTests.answer(using: &generator)
        do {
          try CraftedFileTests.print(WatchedProcess(id: 1).dump(in: bytes), using: &generator)
        } catch let error as WatchError {
          precondition(error.description.utf8.count < 1 << 14)
        }
      }
      precondition(understood > Crafted.count / 2)
    }
  }

  /// A dump, what comes before or after one, or a part of it.
  static func answer(using generator: inout SplitMix64) -> [UInt8] {
    let dump = Array(HeapDump(crafted: &generator).bytes)
    let error = Array("\nmemlab.error ".utf8) + Junk.word(using: &generator) + [10]
    let parts = [
      dump, error, Junk.word(using: &generator), Array("memlab.heap/2\n".utf8),
      Array(dump.prefix(Int.random(in: 0...dump.count, using: &generator))),
    ]
    if Bool.random(using: &generator) { return dump }
    return (0..<Int.random(in: 0...3, using: &generator)).flatMap { _ in
      parts.randomElement(using: &generator) ?? []
    }
  }

  /// Makes everything of a dump that memlab makes of one.
  static func print(_ dump: HeapDump, using generator: inout SplitMix64) throws {
    _ = TopLines(of: dump, since: dump).lines(width: 80)
    _ = try WatchJSON.top(of: dump)
    _ = HeapSnapshotFormat.bytes(of: dump)
    _ = PprofFormat.bytes(of: dump)
    _ = FoldedFormat.text(of: dump)
    let name = dump.things.randomElement(using: &generator)?.title ?? ""
    let holders = HeapHolders(of: name, in: dump)
    _ = ClassHolderLines.lines(holders, of: name, in: dump, 80)
    _ = try WatchJSON.holders(holders, of: name, in: dump)
    for other in [HeapDump(crafted: &generator), HeapDump()] {
      var (earlier, later) = (other, dump)
      if Bool.random(using: &generator) { swap(&earlier, &later) }
      (earlier.facts.process, earlier.facts.program) = (later.facts.process, later.facts.program)
      guard let earlier = try? HeapDump(bytes: Array(earlier.bytes)),
        let later = try? HeapDump(bytes: Array(later.bytes))
      else { continue }
      let growth = try GrowthLines(from: earlier, to: later)
      _ = growth.lines(width: 80)
      _ = try WatchJSON.growth(growth.growth, from: earlier, to: later)
    }
  }
}

extension HeapDump {
  /// A dump of a few blocks, whose indices are mostly right and whose facts may be anything.
  fileprivate init(crafted generator: inout SplitMix64) {
    self.init()
    let size = Int.random(in: 0...12, using: &generator)
    facts.setAtRandom(using: &generator)
    func text() -> String {
      Bool.random(using: &generator)
        ? "App.Class\(Int.random(in: 0...3, using: &generator))"
        : String(decoding: Junk.word(using: &generator).prefix(40), as: UTF8.self)
    }
    func place() -> CodeLocation? {
      guard Bool.random(using: &generator) else { return nil }
      let line = Crafted.number(near: 1, using: &generator)
      return CodeLocation(file: text(), line: Int(line >> 1))
    }
    // Mostly one that is there.
    func index(_ count: Int) -> Int {
      Int.random(in: 0..<200, using: &generator) == 0
        ? Int(Crafted.number(near: count, using: &generator) & 0x7FFF_FFFF)
        : Int.random(in: 0..<max(count, 1), using: &generator)
    }
    let kinds: [HeapBlockKind] = [
      .instance, .buffer, .error, .context, .task, .taskSlab, .sideTable, .metadata, .memory,
    ]
    things = (0...3).map { _ in
      HeapNode(
        kind: .block(kinds[index(kinds.count) % kinds.count]), name: text(), location: place())
    }
    let links: [RetainChain.Link.Kind] = [.field, .element, .memory, .frame]
    labels = (0...2).map { _ in
      Label(kind: links[index(4) % 4], name: Bool.random(using: &generator) ? text() : nil)
    }
    groups = (0...1).map { _ in
      TaskGroup(
        title: text(), suspendedIn: nil, frames: [HeapFrame(function: text(), location: place())])
    }
    for block in 0..<size {
      let isFirst = block == 0 || index(3) == 0
      let serial = Crafted.number(near: 1 << 38, using: &generator)
      blocks.serials.append(index(9) > 0 ? UInt64(block) : serial)
      blocks.sizes.append(UInt32(truncatingIfNeeded: Crafted.number(near: 64, using: &generator)))
      blocks.things.append(UInt32(index(things.count)))
      blocks.holders.append(isFirst ? -1 : Int32(truncatingIfNeeded: index(block)))
      blocks.origins.append(Origin(rawValue: UInt8(index(3) % 3)) ?? .root)
      let counts = Crafted.number(near: 1, using: &generator)
      blocks.found.append(Int32(truncatingIfNeeded: counts))
      blocks.counts.append(Int32(truncatingIfNeeded: counts >> 32))
      for _ in 0..<Int.random(in: 0...2, using: &generator) {
        targets.append(UInt32(index(size)))
        labelIDs.append(UInt32(index(labels.count)))
      }
      starts.append(UInt32(targets.count))
      guard isFirst else { continue }
      if Bool.random(using: &generator) {
        roots[block] = .task(tasks.count)
        tasks.append(
          Task(
            block: block, group: index(groups.count),
            id: Crafted.number(near: 1, using: &generator), name: text(), state: .running,
            isChild: Bool.random(using: &generator)))
      } else {
        roots[block] = .global(text())
      }
    }
  }
}

extension HeapDump.Facts {
  // Each is right most of the time, or few snapshots would be read.
  fileprivate mutating func setAtRandom(using generator: inout SplitMix64) {
    func number(_ usual: UInt64) -> UInt64 {
      Int.random(in: 0..<12, using: &generator) > 0
        ? usual : Crafted.number(near: Int.max / 4, using: &generator)
    }
    process = Int32(truncatingIfNeeded: number(1))
    program = String(decoding: Junk.word(using: &generator), as: UTF8.self)
    time = Int64(bitPattern: number(1_700_000_000))
    (moment, residentBytes, allocatorBytes) = (number(9), number(1 << 20), number(1 << 19))
    blocksInFlight = Int(number(0) >> 1)
    losses = [String(decoding: Junk.word(using: &generator), as: UTF8.self)]
  }
}
