import MemlabHeapModel
import MemlabPlatform

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

  deinit { ledger.objectDeinitialized(serial) }
}

// One argument makes a document's task a counted one: `Task(probe: "forwarder") { … }`. The task
// also gets the name (SE-0469), by which the heap witness finds it.

extension Task where Failure == any Error {
  /// Creates a throwing task whose start and end are entered into the current trial's ledger.
  ///
  /// - Parameters:
  ///   - name: the name under which it is counted.
  ///   - operation: the body, as `Task.init` takes it. The task counts as finished when it returns
  ///     or throws, even if its handle is still held.
  @discardableResult
  public init(
    probe name: String,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async throws -> Success
  ) {
    let name = name.shown()
    let ledger = Ledger.required(for: "task \(name)")
    ledger.taskStarted(name)
    self.init(name: name) {
      defer { ledger.taskFinished(name) }
      return try await operation()
    }
  }
}

extension Task where Failure == Never {
  /// Creates a task whose start and end are entered into the current trial's ledger.
  ///
  /// - Parameters:
  ///   - name: the name under which it is counted.
  ///   - operation: the body, as `Task.init` takes it. The task counts as finished when it returns,
  ///     even if its handle is still held.
  @discardableResult
  public init(
    probe name: String,
    @_inheritActorContext @_implicitSelfCapture
    operation: sending @escaping @isolated(any) () async -> Success
  ) {
    let name = name.shown()
    let ledger = Ledger.required(for: "task \(name)")
    ledger.taskStarted(name)
    self.init(name: name) {
      defer { ledger.taskFinished(name) }
      return await operation()
    }
  }
}

/// A variable that holds something from outside, drawn in every picture by its name.
///
/// What a local variable or a stage holds is on no heap, so nothing could find it. A value in a
/// variable like this one is on the heap, in an object that is the variable:
///
/// ```swift
/// @Variable("planet") var planet: Planet?
/// ```
///
/// Outside of a trial it is a variable like any other.
@propertyWrapper
public final class Variable<Value> {
  /// What it holds.
  public var wrappedValue: Value
  private let ledger: Ledger?

  /// A variable of the current trial.
  ///
  /// - Parameters:
  ///   - wrappedValue: what it holds at first.
  ///   - name: its name in the pictures: the one that it has in the code.
  public init(wrappedValue: Value, _ name: String) {
    (self.wrappedValue, ledger) = (wrappedValue, Ledger.current)
    ledger?.nameVariable(name, at: address)
  }

  /// A variable of the current trial that holds nothing yet.
  public convenience init(_ name: String) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, name)
  }

  deinit { ledger?.nameVariable(nil, at: address) }

  private var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

extension Ledger {
  /// The names of the trial's variables, by the addresses of the objects that stand for them.
  var variables: [UInt: String] { state.withLock { $0.variables } }

  // Not inlined: the optimiser must not see that nobody reads the address, or it puts the variable on
  // the stack.
  @inline(never)
  fileprivate func nameVariable(_ name: String?, at address: UInt) {
    enter(isChange: false) { $0.variables[address] = name }
  }
}
