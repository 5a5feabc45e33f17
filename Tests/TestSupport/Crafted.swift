import Foundation
package import MemlabKit

/// Files, recordings and answers that somebody has made to do harm: each is of the right form, and has
/// numbers in it that do not belong there.
///
/// To be used in a process of its own: what goes wrong ends it. The last case that it has begun is in
/// the file that ``note(_:)`` names.
package enum Crafted {
  /// How many there are of each kind: 100,000 in `make verify`.
  package static let count = setting("MEMLAB_FUZZ_FORMATS") ?? (Slow.isOn ? 300 : 150)
  /// Where the random numbers begin; case 7 of seed 1 is case 0 of seed 8.
  package static let seed = setting("MEMLAB_FUZZ_SEED") ?? 1

  /// The number that a variable of the environment is set to.
  package static func setting(_ name: String) -> Int? {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
  }

  /// The file that has the number of the case at which a kind has ended its process.
  package static func note(_ kind: String) -> String {
    FileManager.default.temporaryDirectory.appending(path: "memlab-fuzz-\(kind)").path
  }

  /// Reads each case; one that takes twenty seconds ends the process.
  ///
  /// - Parameters:
  ///   - kind: a word for the name of the note.
  ///   - read: makes the case and reads it; what is refused with an error is as it should be.
  /// - Returns: how many were not refused. None would mean that nothing was looked at.
  package static func read(_ kind: String, _ read: (inout SplitMix64) throws -> Void) -> Int {
    let file = open(note(kind), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    defer { close(file) }
    var understood = 0
    for number in 0..<count {
      let text = Array("MEMLAB_FUZZ_FORMATS=1 MEMLAB_FUZZ_SEED=\(seed + number)\n".utf8)
      pwrite(file, text, text.count, 0)
      alarm(20)
      var generator = SplitMix64(seed: UInt64(seed + number))
      if (try? read(&generator)) != nil { understood += 1 }
    }
    alarm(0)
    return understood
  }

  /// A number that a program may stumble over.
  package static func number(near known: Int, using generator: inout SplitMix64) -> UInt64 {
    let near = Int.random(in: -8...8, using: &generator)
    let edges: [UInt64] = [8, 16, 31, 32, 38, 47, 62, 63, 63, 63]
    let edge: UInt64 = 1 << (edges.randomElement(using: &generator) ?? 0)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: return UInt64(bitPattern: Int64(near))
    case 1: return UInt64(bitPattern: Int64(known &+ near))
    case 2: return edge &+ UInt64(near.magnitude)
    case 3: return edge &- UInt64(near.magnitude)
    case 4: return UInt64.random(in: 0...300, using: &generator)
    default: return generator.next()
    }
  }
}

/// Bytes of which it is known where their numbers are.
package struct NumberedBytes {
  /// The bytes.
  package private(set) var bytes: [UInt8] = []
  private var numbers: [Range<Int>] = []

  /// None.
  package init() {}

  /// Adds a number.
  package mutating func append<Number: FixedWidthInteger>(_ number: Number) {
    numbers.append(bytes.count..<bytes.count + MemoryLayout<Number>.size)
    withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
  }

  /// Adds bytes that have no number in them.
  package mutating func append(_ others: [UInt8]) { bytes += others }

  /// Adds other bytes with their numbers.
  package mutating func append(_ other: NumberedBytes) {
    numbers += other.numbers.map { $0.lowerBound + bytes.count..<$0.upperBound + bytes.count }
    bytes += other.bytes
  }

  /// Adds a number in DWARF's form of variable length.
  package mutating func append(variable number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Adds a text and the zero at its end.
  package mutating func append(_ text: String) { bytes += Array(text.utf8) + [0] }

  /// Puts another number at a place.
  package mutating func replace(_ place: Int, with number: UInt64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + 8, with: $0) }
  }

  /// Puts other numbers in the place of some.
  package mutating func spoil(_ count: ClosedRange<Int>, using generator: inout SplitMix64) {
    for _ in 0..<Int.random(in: count, using: &generator) {
      guard let place = numbers.randomElement(using: &generator) else { return }
      withUnsafeBytes(of: Crafted.number(near: bytes.count, using: &generator).littleEndian) {
        bytes.replaceSubrange(place, with: $0.prefix(place.count))
      }
    }
  }
}

/// A file as a linker makes it: header, table of segments, sections, and their table.
///
/// See https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html.
package struct CraftedElf {
  /// The file.
  package private(set) var file = NumberedBytes()

  /// A program with these sections. Those named `.interp` and `.dynamic` have segments, too.
  package init(_ sections: [(name: String, content: NumberedBytes)]) {
    var names = NumberedBytes()
    names.append("")
    let places = sections.map { section in
      defer { names.append(section.name) }
      return names.bytes.count
    }
    let all = sections + [("names", names)]
    var (body, starts) = (NumberedBytes(), [Int]())
    let segments = all.filter { [".interp", ".dynamic"].contains($0.name) }.count + 1
    let first = 64 + segments * 56
    for section in all {
      body.append([UInt8](repeating: 0, count: (8 - (first + body.bytes.count) % 8) % 8))
      starts.append(first + body.bytes.count)
      body.append(section.content)
    }
    let end = first + body.bytes.count
    file.append([0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9))
    for half: UInt16 in [3, 62] { file.append(half) }
    file.append(UInt32(1))
    for word in [0, 64, end] { file.append(UInt64(word)) }
    file.append(UInt32(0))
    for half in [64, 56, segments, 64, all.count + 1, all.count] { file.append(UInt16(half)) }
    segment(kind: 1, at: 0, size: end)
    for (section, start) in zip(all, starts) where [".interp", ".dynamic"].contains(section.name) {
      segment(kind: section.name == ".interp" ? 3 : 2, at: start, size: section.content.bytes.count)
    }
    file.append(body)
    section(name: 0, kind: 0, at: 0, size: 0)
    for (index, section) in all.enumerated() {
      self.section(
        name: index < places.count ? places[index] : 0, kind: 1, at: starts[index],
        size: section.content.bytes.count)
    }
  }

  private mutating func segment(kind: UInt32, at start: Int, size: Int) {
    for word in [kind, 4] { file.append(word) }
    for word in [start, start, start, size, size, 8] { file.append(UInt64(word)) }
  }

  private mutating func section(name: Int, kind: UInt32, at start: Int, size: Int) {
    for word in [UInt32(name), kind] { file.append(word) }
    for word in [0, start, start, size] { file.append(UInt64(word)) }
    for word: UInt32 in [0, 0] { file.append(word) }
    for word: UInt64 in [8, 0] { file.append(word) }
  }

  /// A program that needs a library; what it needs comes first in its table of strings.
  package static var program: CraftedElf {
    var (loader, dynamic, strings) = (NumberedBytes(), NumberedBytes(), NumberedBytes())
    loader.append("/lib64/ld-linux-x86-64.so.2")
    for text in ["", "libswiftCore.so", "libm.so.6"] { strings.append(text) }
    // The loader's name of 28 bytes, four of these entries of 16, and then the strings.
    let place = 64 + 3 * 56 + 32 + 4 * 16
    for (tag, value) in [(1, 1), (1, 17), (5, place), (0, 0)] {
      for word in [tag, value] { dynamic.append(UInt64(word)) }
    }
    return CraftedElf([
      (".interp", loader), (".dynamic", dynamic), (".dynstr", strings), ("swift5_types", strings),
    ])
  }
}
