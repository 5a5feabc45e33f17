import MemlabHeapModel
import MemlabHeapReader
import Testing

/// An object that must be deinitialised in the end.
struct WatchedObject: @unchecked Sendable {
  /// The name of its class, with the module.
  let type: String
  /// Where the test called `watch`.
  let place: SourceLocation
  /// How it came to be watched.
  let origin: Origin
  /// Whether the body has returned it, and nobody has named it.
  var isReturned: Bool { origin == .returned }
  private weak var object: AnyObject?
  /// Its address; kept after its end.
  let address: UInt

  /// How an object came to be watched.
  enum Origin {
    /// The test has handed it over.
    case named
    /// The body has returned it.
    case returned
    /// It was found on the heap, in a ring that nothing refers to.
    case found
  }

  /// Watches an object without keeping it.
  init(_ object: AnyObject, at place: SourceLocation, as origin: Origin) {
    self.object = object
    self.place = place
    self.origin = origin
    type = TypeName.qualified(Swift.type(of: object))
    address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Whether it has not been deinitialised.
  var isAlive: Bool { object != nil }

}

#if !MEMLAB_PORTABLE
  extension WatchedObject {
    /// Why it is alive; nil if it is gone or not on the recorded heap.
    func chain(by ways: ChainFinder) -> RetainChain? { object.flatMap(ways.retainChain) }

    /// The threads that refer to some objects or to their holders, where no task and no global variable
    /// does, by the objects' addresses.
    static func threads(
      of objects: [(object: WatchedObject, chain: RetainChain?)], in snapshot: HeapSnapshot
    ) -> [UInt: String] {
      let unheld = objects.filter {
        $0.chain?.root.kind == .cycle || $0.chain?.root.kind == .unknown
      }
      .compactMap { watched in watched.object.object.map { (watched.object.address, $0) } }
      let threads = snapshot.threads(referringTo: unheld.map(\.1))
      return Dictionary(
        zip(unheld, threads).compactMap { unheld, thread in thread.map { (unheld.0, $0) } },
        uniquingKeysWith: { first, _ in first })
    }

    /// Whether it was allocated before the recorder's number `serial`; false if it is gone or
    /// unknown.
    func isOlder(than serial: UInt64?, in snapshot: HeapSnapshot) -> Bool {
      guard let serial, let own = object.flatMap(snapshot.serial) else { return false }
      return own < serial
    }

    /// Whether a global variable leads to it.
    func isKept(by globals: GlobalReach) -> Bool { object.map(globals.leads) ?? false }

    /// Whether it is part of the program and is never deinitialised.
    func isConstant(in globals: GlobalReach) -> Bool { object.map(globals.isConstant) ?? false }

    /// Whether it is a global variable's value itself.
    func isValue(of globals: GlobalReach) -> Bool { object.map(globals.isValue) ?? false }
  }
#endif

extension SourceLocation {
  /// The whole path of the file.
  var path: String {
    #if compiler(>=6.3)
      filePath
    #else
      _filePath
    #endif
  }

  /// `File.swift:12`.
  var short: String { "\(fileName):\(line)" }
}
