/// Reports the `init` and the `deinit` of the object that stores it.
///
/// One stored property is all the instrumentation that a class under study needs:
///
/// ```swift
/// final class DataCacheRepoImpl {
///   private let probe = Probe(DataCacheRepoImpl.self)
/// }
/// ```
///
/// A probe is a value inside the object and not an object itself, so it adds nothing to the heap
/// that the second witness reads. It is destroyed with the object's stored properties, that is,
/// after the body of the object's `deinit` has run.
public struct Probe: ~Copyable, Sendable {
  private let ledger: Ledger
  private let serial: Int

  /// Enters an object of this type into the current trial's ledger.
  ///
  /// - Parameter type: the class that stores the probe.
  public init<Object: AnyObject>(_ type: Object.Type) {
    ledger = .required(for: "a probe of \(type)")
    serial = ledger.objectCreated(type)
  }

  deinit {
    ledger.objectDeinitialized(serial)
  }
}
