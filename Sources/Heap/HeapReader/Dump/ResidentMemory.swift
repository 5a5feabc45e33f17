import Glibc
import MemlabHeapModel

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
      } else if let mapping = ProcessFiles.Mapping(line: line) {
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
    residentBytes = ResidentMemory.ofProcess(process)
    program = lastComponent(of: ProcessFiles.target(ofLink: "/proc/self/exe"))
  }
}
