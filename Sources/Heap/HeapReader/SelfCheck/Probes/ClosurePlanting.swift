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
  private var plain: Place { Place(of: holder)[24].target }
  private var generic: Place { Place(of: holder)[40].target }
  private var asyncFunction: Place { Place(of: holder)[48].target }

  func compare(_ findings: inout ProbeFindings) {
    let rows = abi.context
    findings.expect("kind.context", plain.target.word == abi.kind.context)
    findings.expect("object.header", plain[abi.object.header].word == seed.address)
    let start = plain.target[rows.start].uint32
    findings.expect("context.start", start.flatMap { plain[UInt($0)].word } == seed.address)
    let descriptor = plain.target[rows.descriptor].target
    findings.expect("context.descriptor", descriptor.isInImage)
    findings.expect("context.count", descriptor[rows.count].uint32 == 2)
    let first = descriptor[rows.first]
    findings.expect("context.first", isName(first.relative, of: Seed.self))
    findings.expect("context.size", isName(first[rows.size].relative, of: OtherSeed.self))
    let ofGeneric = generic.target[rows.descriptor].target
    // Two types, each found in a place of its own; a plain closure has neither.
    for (row, offset) in [("context.sources", rows.sources), ("context.bindings", rows.bindings)] {
      findings.expect(row, descriptor[offset].uint32 == 0)
      findings.expect(row, ofGeneric[offset].uint32.map { (1...2).contains($0) } ?? false)
    }
    let size = asyncFunction[abi.async.contextSize].uint32 ?? 0
    findings.expect(
      "async.contextSize",
      asyncFunction.relative.isCode && (16...4096).contains(size) && size % 16 == 0)
  }

  // A byte, and four of a relative address: of the class's descriptor, or of where its address is.
  private func isName(_ name: Place, of type: Any.Type) -> Bool {
    let (kind, place) = (name.byte, name[1].relative)
    let found = kind == 1 ? place.address : kind == 2 ? place.word : nil
    return found != nil && found == Place(of: type)[40].word
  }

  var references: [PlantedReference] {
    guard let plain = plain.address else { return [] }
    return [
      .field(.closures, of: holder, "plain", plain),
      .init(.closures, .capture, in: plain, seed.address),
      .init(.closures, .capture, in: plain, other.address),
    ]
  }
}
