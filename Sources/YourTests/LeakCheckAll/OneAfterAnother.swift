import MemlabPlatform

/// Has Swift Testing begin a test only when the one before has ended, as `--no-parallel` does.
///
/// A test that has begun and waits for its turn has tasks, and each look at the heap reads them all: of
/// a suite of hundreds of tests, that would be most of what it reads.
enum OneAfterAnother {
  private static let option = "--no-parallel"
  // Swift 6 does not compile a call of it.
  private static let setter = "$ss11CommandLineO9argumentsSaySSGvsZ"

  /// Asks for it, once, before Swift Testing reads the arguments. Where they cannot be set, its tests
  /// begin all at once, and wait.
  static let isAskedFor: Void = {
    guard SummaryAtExit.isSwiftTesting, !CommandLine.arguments.contains(option),
      let function = dlsym(nil, setter)
    else { return }
    let arguments = unsafeBitCast(CommandLine.arguments + [option], to: AnyObject.self)
    let set = unsafeBitCast(function, to: (@convention(c) (UnsafeRawPointer) -> Void).self)
    set(UnsafeRawPointer(Unmanaged.passRetained(arguments).toOpaque()))
  }()
}
