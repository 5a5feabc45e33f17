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
    (self.object, self.place, self.origin) = (object, place, origin)
    type = TypeName.qualified(Swift.type(of: object))
    address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Whether it has not been deinitialised.
  var isAlive: Bool { object != nil }

  #if !MEMLAB_PORTABLE
    /// Why it is alive; nil if it is gone or not on the recorded heap.
    func chain(by ways: (AnyObject) -> RetainChain?) -> RetainChain? { object.flatMap(ways) }

    /// The threads that refer to some objects or to their holders, where no task and no global variable
    /// does, by the objects' addresses.
    static func threads(
      of objects: [(object: WatchedObject, chain: RetainChain?)], in snapshot: HeapSnapshot
    ) -> [UInt: String] {
      let unheld = objects.filter { [.cycle, .unknown].contains($0.chain?.root.kind) }
        .compactMap { watched in watched.object.object.map { (watched.object.address, $0) } }
      let threads = snapshot.threads(referringTo: unheld.map(\.1))
      return Dictionary(
        zip(unheld, threads).compactMap { unheld, thread in thread.map { (unheld.0, $0) } },
        uniquingKeysWith: { first, _ in first })
    }

    /// Whether it is a shared instance that the body has not made.
    ///
    /// - Parameters:
    ///   - beginning: the recorder's number when the body began.
    ///   - globals: what global variables lead to.
    fileprivate func isShared(
      since beginning: UInt64?, in snapshot: HeapSnapshot, by globals: GlobalReach
    ) -> Bool {
      guard let object else { return false }
      // A part of the program, which is never deinitialised.
      if globals.isConstant(object) { return true }
      if let beginning, let own = snapshot.serial(of: object), own < beginning {
        return globals.leads(to: object)
      }
      return SystemTypes.contain(type) && globals.isValue(object)
    }
  #endif
}

extension LeakScope {
  /// Stops watching returned objects that are shared: objects that a global variable leads to and
  /// that are older than the body, objects of the system's libraries that are the value of a global
  /// variable, and constants.
  ///
  /// A closure of one expression returns its value. So a body returns a shared instance if its last
  /// call does, although the body did not make the instance.
  func forgetSharedObjects(in snapshot: HeapSnapshot) {
    #if !MEMLAB_PORTABLE
      let returned = survivors.filter { $0.origin == .returned }
      guard !returned.isEmpty else { return }
      // Other users of a shared instance, such as another test's task, have a shorter path to it.
      let globals = snapshot.reachOfGlobals
      forget(returned.filter { $0.isShared(since: beginning?.serial, in: snapshot, by: globals) })
    #endif
  }
}

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

  /// The file with its folder, and the line.
  var inCode: CodeLocation { CodeLocation(file: path, line: line) }
}
