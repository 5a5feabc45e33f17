/// What a snapshot knows of the process around the recorded blocks.
struct Surroundings {
  /// What is loaded.
  let segments = LoadedSegments.current()
  private var maps: ReadableMaps?
  private var questions = 0

  /// Whether `count` bytes at an address can be read: in a loaded image, in one recorded block or
  /// in other memory of the process. The kernel is asked about the latter; when there are many
  /// questions, or when it doesn't answer, its list of mappings is read instead.
  mutating func canRead(_ address: UInt, count: UInt, blocks: BlockList) -> Bool {
    guard Memory.isAddress(address) else { return false }
    if segments.contains(address, count: count) { return true }
    let block = blocks.index(containing: address)
    if block >= 0 { return address + count <= blocks.address(block) + blocks.size(block) }
    questions += 1
    if questions <= 128, maps == nil {
      if let answer = Memory.isReadable(address, count: count) { return answer }
    }
    if maps == nil { maps = ReadableMaps() }
    return maps?.contains(address, count: count) ?? false
  }
}
