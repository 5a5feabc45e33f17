import Glibc
import MemlabHeapModel

/// What the kernel tells about this process in its files.
package enum ProcessFiles {
  /// A stretch of the address space.
  struct Mapping {
    /// Where it is.
    let range: Range<UInt>
    /// Whether it may be read.
    let isReadable: Bool

    /// The mapping that a line of `maps` or of `smaps` begins with; nil where it is another line.
    ///
    /// Read by the C library: each look at the heap reads all lines.
    init?(line: UnsafePointer<CChar>) {
      // 7f12a8000000-7f12a8021000 rw-p 00000000 00:00 0
      var rest: UnsafeMutablePointer<CChar>?
      let first = strtoul(line, &rest, 16)
      guard let dash = rest, dash[0] == 0x2D else { return nil }
      let last = strtoul(dash + 1, &rest, 16)
      guard let space = rest, space[0] == 0x20, first < last else { return nil }
      (range, isReadable) = (first..<last, space[1] == 0x72)
    }
  }

  /// The mappings, the lowest first.
  static func mappings() -> [Mapping] {
    text("/proc/self/maps").withCString { text in
      sequence(first: text) { strchr($0, 0x0A).map { UnsafePointer($0 + 1) } }
        .compactMap(Mapping.init)
    }
  }

  /// The numbers of the process's threads.
  static func threads() -> [String] { numbers(in: "/proc/self/task") }

  /// The numbers of the processes that this one has started and that nobody has waited for yet.
  package static func children() -> [String] {
    threads().flatMap {
      text("/proc/self/task/\($0)/children").split(separator: " ").map(String.init)
    }
  }

  /// The numbers of the process's open descriptors.
  package static func descriptors() -> [String] { numbers(in: "/proc/self/fdinfo") }

  private static func numbers(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.first?.isNumber == true { names.append(name) }
    }
    return names
  }

  /// What a symbolic link refers to; empty when it cannot be read.
  package static func target(ofLink path: String) -> String {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink(path, &buffer, buffer.count)
    let bytes = buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The text of a small file; empty when it cannot be read.
  package static func text(_ path: String) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return "" }
    defer { close(file) }
    var contents: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 12)
    while case let count = Glibc.read(file, &part, part.count), count > 0 {
      contents += part.prefix(count)
    }
    return String(decoding: contents, as: UTF8.self)
  }
}

/// How much of a process's memory is there, as the kernel tells.
enum ResidentMemory {
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
      } else if let mapping = line.withCString(ProcessFiles.Mapping.init) {
        isAllocators = blocks.beginning(of: mapping.range) != mapping.range
      }
    }
    return total
  }
}

extension HeapDump.Facts {
  /// Adds what the kernel tells of the process that this one is a copy of.
  package mutating func addProcessThatWasCopied() {
    process = getppid()
    time = Int64(Glibc.time(nil))
    // Zero where the kernel does not tell.
    let numbers = ProcessFiles.text("/proc/\(process)/statm").split(separator: " ")
    let pages = numbers.count > 1 ? UInt64(numbers[1]) ?? 0 : 0
    residentBytes = pages * UInt64(sysconf(Int32(_SC_PAGESIZE)))
    program = lastComponent(of: ProcessFiles.target(ofLink: "/proc/self/exe"))
  }
}
