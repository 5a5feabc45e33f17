import MemlabHeapModel
import MemlabRuntimeABI

/// Closures: what they captured, and how the function stands beside it.
struct ClosurePlanting: Planting {
  private final class Holder {
    var plain: (() -> Void)?
    var generic: (() -> Void)?
    var async: (@Sendable () async -> Void)?
  }

  private let holder = Holder()
  private let seed = Seed()
  private let other = OtherSeed()

  /// Plants a plain closure, a generic one and an asynchronous one.
  init() {
    let (seed, other) = (seed, other)
    holder.plain = { withExtendedLifetime((seed, other)) {} }
    holder.generic = Self.capturing(seed, other)
    holder.async = { await Self.wait(for: (seed, other)) }
  }

  // Not specialized: the closure's context has to find its generic argument in itself.
  @_optimize(none) @inline(never)
  private static func capturing<Value, Other>(_ value: Value, _ other: Other) -> () -> Void {
    { withExtendedLifetime((value, other)) {} }
  }

  @inline(never)
  private static func wait(for seeds: (Seed, OtherSeed)) async { await Task.yield() }

  // Each property is a function and a context.
  private var plain: UInt? { Peek.word(address(of: holder) + 24) }
  private var generic: UInt? { Peek.word(address(of: holder) + 40) }
  private var asyncFunction: UInt? { Peek.word(address(of: holder) + 48) }

  func compare(_ findings: inout ProbeFindings) {
    let rows = abi.context
    let type = Peek.word(plain)
    findings.expect("kind.context", Peek.word(type) == abi.kind.context)
    findings.expect("object.header", Peek.word(plain + abi.object.header) == seed.address)
    let start = Peek.uint32(type + rows.start).map { UInt($0) }
    findings.expect("context.start", start.flatMap { Peek.word(plain + $0) } == seed.address)
    let descriptor = Peek.word(type + rows.descriptor)
    findings.expect("context.descriptor", Peek.isInImage(descriptor))
    findings.expect("context.count", Peek.uint32(descriptor + rows.count) == 2)
    let first = descriptor + rows.first
    findings.expect("context.first", isName(Peek.relative(first), of: Seed.self))
    findings.expect("context.size", isName(Peek.relative(first + rows.size), of: OtherSeed.self))
    let ofGeneric = Peek.word(Peek.word(generic) + rows.descriptor)
    // Two types, each found in a place of its own; a plain closure has neither.
    for (row, offset) in [("context.sources", rows.sources), ("context.bindings", rows.bindings)] {
      findings.expect(row, Peek.uint32(descriptor + offset) == 0)
      findings.expect(row, Peek.uint32(ofGeneric + offset).map { (1...2).contains($0) } ?? false)
    }
    findings.expect("async.contextSize", isAsyncFunction(asyncFunction))
  }

  // A byte, and four of a relative address: of the class's descriptor, or of where its address is.
  private func isName(_ name: UInt?, of type: Any.Type) -> Bool {
    let (kind, place) = (Peek.byte(name), Peek.relative(name + 1))
    let found = kind == 1 ? place : kind == 2 ? Peek.word(place) : nil
    return found != nil && found == Peek.word(metadata(of: type) + 40)
  }

  private func isAsyncFunction(_ pointer: UInt?) -> Bool {
    guard Peek.isCode(Peek.relative(pointer)),
      let size = Peek.uint32(pointer + abi.async.contextSize)
    else { return false }
    return (16...4096).contains(size) && size % 16 == 0
  }

  var references: [PlantedReference] {
    guard let plain else { return [] }
    return [
      .field(.closures, of: holder, "plain", plain), .capture(.closures, of: plain, seed),
      .capture(.closures, of: plain, other),
    ]
  }
}
