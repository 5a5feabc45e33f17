import Glibc

/// An executable or shared library as the dynamic linker mapped it into this process.
struct LoadedImage: Sendable {
  /// One loadable segment, in run-time addresses.
  struct Segment: Sendable {
    let range: Range<UInt>
    let isExecutable: Bool
  }

  /// The file it was loaded from; `/proc/self/exe` for the program itself.
  let path: String
  /// What to subtract from a run-time address to get the address written in the file.
  let bias: UInt
  let segments: [Segment]

  private typealias Visitor =
    @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
  private typealias Iterate = @convention(c) (Visitor, UnsafeMutableRawPointer?) -> Int32

  /// The images loaded at this moment, the program first.
  static func current() -> [LoadedImage] {
    let iterate = CFunction.named("dl_iterate_phdr", as: Iterate.self)
    var images: [LoadedImage] = []
    withUnsafeMutablePointer(to: &images) { list in
      let visitor: Visitor = { info, _, list in
        guard let info, let list else { return 0 }
        list.assumingMemoryBound(to: [LoadedImage].self).pointee.append(LoadedImage(info))
        return 0
      }
      _ = iterate?(visitor, list)
    }
    return images
  }

  /// Reads a `dl_phdr_info`: base address, name, program headers and their number.
  private init(_ info: UnsafeRawPointer) {
    let name = info.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
    let file = name.map { String(cString: $0) } ?? ""
    path = file.isEmpty ? "/proc/self/exe" : file
    let bias = info.load(as: UInt.self)
    self.bias = bias
    let headers = UnsafeBufferPointer(
      start: info.load(fromByteOffset: 16, as: UnsafePointer<Elf64_Phdr>?.self),
      count: Int(info.load(fromByteOffset: 24, as: UInt16.self)))
    segments = headers.filter { $0.p_type == 1 }.map { header in
      let start = bias &+ UInt(header.p_vaddr)
      return Segment(
        range: start..<max(start, start &+ UInt(header.p_memsz)),
        isExecutable: header.p_flags & 1 != 0)
    }
  }

  /// Whether the address lies in one of the image's segments.
  func contains(_ address: UInt) -> Bool {
    segments.contains { $0.range.contains(address) }
  }

  /// Whether the address lies in the image's machine code.
  func containsCode(_ address: UInt) -> Bool {
    segments.contains { $0.isExecutable && $0.range.contains(address) }
  }

  /// The last component of the path; the program's own name for the program.
  var name: String {
    lastComponent(of: path == "/proc/self/exe" ? LoadedImage.executablePath : path)
  }

  private static let executablePath: String = {
    var buffer = [CChar](repeating: 0, count: 4096)
    let length = readlink("/proc/self/exe", &buffer, buffer.count)
    let path = buffer.prefix(max(0, length)).map { UInt8(bitPattern: $0) }
    return String(decoding: path, as: UTF8.self)
  }()
}

/// What follows the last slash.
func lastComponent(of path: String) -> String {
  let bytes = path.utf8
  guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
  return String(path[bytes.index(after: slash)...])
}
