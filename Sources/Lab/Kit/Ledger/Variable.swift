import MemlabHeapModel

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
    self.wrappedValue = wrappedValue
    ledger = Ledger.current
    ledger?.variableCreated(name, at: address)
  }

  /// A variable of the current trial that holds nothing yet.
  public convenience init(_ name: String) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, name)
  }

  deinit { ledger?.variableEnded(at: address) }

  private var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

extension Ledger {
  /// The names of the trial's variables, by the addresses of the objects that stand for them.
  var variables: [UInt: String] { state.withLock { $0.variables } }

  // Not inlined: the optimiser must not see that nobody reads the address, or it puts the variable on
  // the stack.
  @inline(never)
  fileprivate func variableCreated(_ name: String, at address: UInt) {
    enter { $0.variables[address] = name }
  }

  @inline(never)
  fileprivate func variableEnded(at address: UInt) {
    enter { $0.variables[address] = nil }
  }
}
