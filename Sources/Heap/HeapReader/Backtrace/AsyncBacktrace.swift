import MemlabHeapModel
import MemlabRuntimeABI

/// Where a suspended task waits, and through which functions it got there.
///
/// ```swift
/// if let trace = AsyncBacktrace(ofTask: address, hiding: ["MemlabKit"]) {
///   print("suspended in", trace.suspendedIn ?? "?")
///   for frame in trace.frames { print(frame.function, frame.file ?? "", frame.line ?? 0) }
/// }
/// ```
///
/// Reading is only meaningful while the task is suspended: one that runs, or has finished, shows
/// where it was suspended last. Symbols are looked up on the first reading, which costs about a
/// millisecond; later ones cost microseconds. It allocates, so read after the heap was recorded.
package struct AsyncBacktrace: Sendable, Codable, Equatable {
  /// What the task waits in: `AsyncThrowingStream.Iterator.next()`, `withCheckedContinuation`,
  /// `Task.sleep`, `Task.value`, `async let`; "a continuation" when the optimiser left no name.
  ///
  /// Nil when the innermost function is the user's own: the task waits for its turn or runs.
  package let suspendedIn: String?
  /// The functions that wait for one another, innermost first, without the library's at both ends.
  package let frames: [AsyncFrame]

  /// Reads the chain of a task's async functions.
  ///
  /// Nil when the address isn't that of a task, as the layout of Swift 6's runtime has it. Never
  /// reads memory that isn't mapped, whatever the address.
  ///
  /// - Parameters:
  ///   - task: the address of the task's object.
  ///   - modules: functions declared in these modules are left out.
  ///   - limit: how many async functions are followed at most.
  package init?(
    ofTask task: UnsafeRawPointer, hiding modules: Set<String> = [], limit: Int = 256
  ) {
    guard let chain = ResumeChain(ofTask: task, limit: limit) else { return nil }
    self.init(chain, hiding: modules)
  }

  /// Names the functions of a chain.
  ///
  /// - Parameters:
  ///   - chain: where the task was to go on.
  ///   - modules: functions declared in these modules are left out.
  init(_ chain: ResumeChain, hiding modules: Set<String>) {
    let symbols = chain.functions.compactMap { address in
      Symbolizer.shared.symbol(at: address)
    }
    let shown = symbols.filter { !modules.contains($0.module ?? "") }
    let folded = FoldedFrames(shown)
    suspendedIn = folded.suspendedIn ?? chain.namelessPlace
    frames = folded.visible.map(AsyncFrame.init)
  }
}

/// One async function of a suspended task.
package struct AsyncFrame: Sendable, Codable, Hashable {
  /// The short name: `closure #1 in closure #1 in didChangeDataCache`.
  package let function: String
  /// The whole demangled name.
  package let fullName: String
  /// The last path component of the source file; nil without debug information.
  package let file: String?
  /// The line of the `await`, or of the `for await`, that the function waits at; nil without debug
  /// information.
  package let line: Int?
  /// Whether the function belongs to Swift's libraries, between two of the user's functions.
  package let isLibrary: Bool
  /// Whether the file of ``line`` belongs to such a package; the line may be one that was inlined.
  private(set) var isLineOfDependency = false
  /// Where the function goes on; means nothing in another process.
  private var address: UInt = 0

  /// The line where the function is written: for a closure that of its opening brace, so for a
  /// task's that of `Task {`; nil without debug information.
  ///
  /// Looked for when it is asked for, which takes some milliseconds for each function.
  package var declaration: CodeLocation? { declarationLine?.location }

  /// Whether the function is written in a package that SwiftPM has fetched; false without debug
  /// information. Looked for as ``declaration`` is.
  package var isOfDependency: Bool {
    declarationLine?.isFetched ?? isLineOfDependency
  }

  private var declarationLine: SourceLine? {
    Symbolizer.shared.declaration(ofFunctionAt: address)
  }

  /// Whether the compiler has put a closure around an expression here, such as that of `async let`:
  /// ``function`` is the one that the expression stands in then.
  package var isImplicitClosure: Bool {
    let end = fullName.firstRange(of: " in ")?.lowerBound ?? fullName.endIndex
    return fullName[..<end].contains("\(abi.glue.implicitClosure)")
  }

  private enum CodingKeys: String, CodingKey {
    case function, fullName, file, line, isLibrary
  }

  /// The frame of a function that a symbol names.
  init(_ symbol: Symbol) {
    address = symbol.address
    function = symbol.isLibrary ? symbol.parts.qualified : symbol.name
    fullName = symbol.fullName
    (file, line) = (symbol.file, symbol.line)
    (isLibrary, isLineOfDependency) = (symbol.isLibrary, symbol.isOfDependency)
  }
}
