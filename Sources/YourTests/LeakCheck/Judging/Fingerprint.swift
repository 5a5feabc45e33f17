import MemlabHeapModel

/// A number for a leak that is the same in every run, and for every leak of the same kind.
///
/// Made of names only: those of the functions that a task waits in, and those of the references
/// from the root to the object. No addresses, lines or counts.
struct Fingerprint: Sendable, Hashable, CustomStringConvertible {
  /// Twelve hexadecimal digits.
  let description: String

  /// The fingerprint of a leak.
  init(of leak: Leak) {
    switch leak.subject {
    case .task(let trace): self.init(names: ["task"] + Self.names(of: trace))
    case .object(let object, let chain, let task):
      self.init(
        names: ["object", object.type] + (task.map(Self.names) ?? [])
          + (chain.map { Self.names(of: $0, hasTask: task != nil) } ?? []))
    case .succession(let origin): self.init(names: ["succession", origin?.function ?? ""])
    case .tasks: self.init(names: ["tasks"])
    }
  }

  /// The fingerprint of some names: 48 bits of FNV-1a.
  init(names: [String]) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in names.joined(separator: "\n").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    let digits = String(hash >> 16, radix: 16)
    description = String(repeating: "0", count: 12 - digits.count) + digits
  }

  private static func names(of trace: TaskTrace) -> [String] {
    [trace.task.name ?? "", trace.suspendedIn ?? ""] + trace.frames.map(\.fullName)
  }

  // Whether a waiting task holds an object in a closure, a frame or a slab is the optimiser's choice.
  private static func names(of chain: RetainChain, hasTask: Bool) -> [String] {
    var names = [chain.root.kind.rawValue] + (hasTask ? [] : [chain.root.node.name])
    for link in chain.links where link.target.isObject {
      names.append(link.kind == .field ? link.name ?? "" : "")
      names.append(link.target.name)
    }
    return names
  }
}
