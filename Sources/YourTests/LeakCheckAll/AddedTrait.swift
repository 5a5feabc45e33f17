import LeakCheck
import Testing

/// Adds a trait to those of a test; called from C, for each test of Swift Testing.
///
/// - Parameter traits: an array of traits, which is not consumed.
/// - Returns: an array that lives as long as the process.
@_cdecl("leak_check_all_traits")
public func addTrait(_ traits: UnsafeRawPointer) -> UnsafeRawPointer {
  SummaryAtExit.isPlanned
  let old = unsafeBitCast(traits, to: [any TestTrait].self)
  guard !old.contains(where: { $0 is NoLeaksTrait }) else { return traits }
  let new = old + [AllTestsTrait()]
  let buffer = unsafeBitCast(new, to: AnyObject.self)
  return UnsafeRawPointer(Unmanaged.passRetained(buffer).toOpaque())
}
