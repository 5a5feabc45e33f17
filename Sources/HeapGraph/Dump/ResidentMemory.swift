internal import Glibc

/// How much of a process's memory is there, as the kernel tells.
enum ResidentMemory {
  /// How many bytes of a process are resident; zero where the kernel does not tell.
  ///
  /// - Parameter process: its number.
  static func ofProcess(_ process: Int32) -> UInt64 {
    let numbers = ProcessFiles.text("/proc/\(process)/statm").split(separator: " ")
    let pages = numbers.count > 1 ? UInt64(numbers[1]) ?? 0 : 0
    return pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// How many bytes are resident of the mappings that the allocator has blocks in.
  static func ofMappings(around blocks: BlockList) -> UInt64 {
    var (total, isAllocators) = (UInt64(0), false)
    // A mapping's line has its addresses, and the lines below have a name each:
    //   7f12a8000000-7f12a8021000 rw-p 00000000 00:00 0
    //   Rss:                 132 kB
    for line in ProcessFiles.text("/proc/self/smaps").split(separator: "\n") {
      if line.hasPrefix("Rss:") {
        let words = line.split(separator: " ")
        if isAllocators, words.count > 1 { total += (UInt64(words[1]) ?? 0) * 1024 }
      } else if let dash = line.firstIndex(of: "-"), let range = range(line, dash) {
        isAllocators = blocks.hasBlock(in: range)
      }
    }
    return total
  }

  private static func range(_ line: Substring, _ dash: String.Index) -> Range<UInt>? {
    let rest = line[line.index(after: dash)...]
    guard let first = UInt(line[..<dash], radix: 16),
      let last = rest.split(separator: " ").first.flatMap({ UInt($0, radix: 16) }), first < last
    else { return nil }
    return first..<last
  }
}

extension BlockList {
  /// Whether any block begins in a stretch of the address space.
  fileprivate func hasBlock(in range: Range<UInt>) -> Bool {
    let first = (0..<count).end { address($0) < range.lowerBound }
    return first < count && address(first) < range.upperBound
  }
}

extension HeapDump.Facts {
  /// Adds what the kernel tells of the process that this one is a copy of.
  package mutating func addProcessThatWasCopied() {
    process = getppid()
    time = Int64(Glibc.time(nil))
    residentBytes = ResidentMemory.ofProcess(process)
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
    program = lastComponent(of: String(decoding: path, as: UTF8.self))
  }
}
