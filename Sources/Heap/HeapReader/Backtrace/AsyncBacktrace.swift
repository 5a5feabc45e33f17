package import MemlabHeapModel
import MemlabRuntimeABI

extension AsyncBacktrace {
  /// Reads the chain of a task's async functions.
  ///
  /// Reading is only meaningful while the task is suspended: one that runs, or has finished, shows
  /// where it was suspended last. Symbols are looked up on the first reading, which costs about a
  /// millisecond; later ones cost microseconds. It allocates, so read after the heap was recorded.
  ///
  /// Nil when the address isn't that of a task, as the layout of Swift 6's runtime has it. Never
  /// reads memory that isn't mapped, whatever the address.
  ///
  /// - Parameters:
  ///   - task: the address of the task's object.
  ///   - modules: functions declared in these modules are left out.
  ///   - limit: how many async functions are followed at most.
  package init?(ofTask task: UnsafeRawPointer, hiding modules: Set<String> = [], limit: Int = 256) {
    guard let chain = ResumeChain(ofTask: UInt(bitPattern: task), limit: limit) else { return nil }
    self.init(chain, hiding: modules)
  }

  /// Names the functions of a chain.
  ///
  /// - Parameters:
  ///   - chain: where the task was to go on.
  ///   - modules: functions declared in these modules are left out.
  package init(_ chain: ResumeChain, hiding modules: Set<String>) {
    let symbols = chain.functions.compactMap { Symbolizer.shared.symbol(at: $0) }
    let functions = Self.withoutGlue(symbols.filter { !modules.contains($0.module ?? "") })
    // The library function that the user's code called and that suspended, and what is below it.
    let top = functions.prefix { $0.isLibrary }
    let rest = functions.dropFirst(top.count)
    self.init(
      suspendedIn: Self.sentence(Array(top)) ?? chain.namelessPlace,
      frames: (rest.lastIndex { !$0.isLibrary }.map { rest[...$0] } ?? []).map(AsyncFrame.init))
  }
}

extension AsyncFrame {
  /// The frame of a function that a symbol names.
  init(_ symbol: Symbol) {
    self.init(
      function: symbol.isLibrary ? symbol.parts.qualified : symbol.name,
      fullName: symbol.fullName, location: symbol.location,
      isLibrary: symbol.isLibrary, isOfDependency: symbol.isOfDependency,
      address: symbol.address)
  }

  /// The line where the function is written: for a closure that of its opening brace, so for a
  /// task's that of `Task {`; nil without debug information.
  ///
  /// Looked for when it is asked for, which takes some milliseconds for each function.
  package var declaration: CodeLocation? {
    Symbolizer.shared.declaration(ofFunctionAt: address)?.location
  }
}

extension TaskTrace {
  /// Reads where a task waits, and those of its children that are among some tasks.
  ///
  /// - Parameter modules: functions declared in these modules are left out.
  package init(_ task: HeapTask, among others: [HeapTask], hiding modules: Set<String>) {
    let trace = task.pointer.flatMap { AsyncBacktrace(ofTask: $0, hiding: modules) }
    let children = others.filter { $0.isChild(of: task) }
    // Of a child it is told below that it is waited for.
    let awaited = others.first { $0.waiters.contains(task.address) && !$0.isChild }
    self.init(
      task, trace, children: children.map { TaskTrace($0, among: others, hiding: modules) },
      awaited: awaited.map { TaskTrace($0, among: [], hiding: modules).title })
  }

  /// A task whose backtrace was read.
  package init(
    _ task: HeapTask, _ trace: AsyncBacktrace?, children: [TaskTrace] = [], awaited: String? = nil
  ) { self.init(task, trace, children: children, awaited: awaited) { $0.declaration } }

  /// Whether functions of packages that were fetched wait, and no others. What the compiler made has
  /// no file, and does not count.
  var isOfDependency: Bool {
    let written = frames.filter { $0.location != nil }
    return !written.isEmpty && written.allSatisfy(\.isOfDependency)
  }
}

extension AsyncBacktrace {
  /// Leaves out thunks, except where one is all that is left of its function after inlining.
  private static func withoutGlue(_ symbols: [Symbol]) -> [Symbol] {
    var kept: [Symbol] = []
    for symbol in symbols where symbol.parts.glue != .reabstraction {
      let isEcho = kept.last?.parts.short == symbol.parts.short
      let isClosure = symbol.parts.qualified.utf8.contains(UInt8(ascii: "#"))
      let isNoise = symbol.isLibrary && (symbol.parts.glue != nil || isClosure)
      if isNoise || symbol.parts.glue == .forwarder && isEcho { continue }
      kept.append(symbol)
    }
    return kept
  }

  /// The outermost library function is the one that the user called; some have better-known names.
  ///
  /// Functions of the runtime itself have no module. Its adapters resume a task that waits for
  /// another; under a frame of the library they add nothing.
  private static func sentence(_ top: [Symbol]) -> String? {
    guard let called = top.last(where: { $0.module != nil })?.parts.qualified else {
      return top.lazy.compactMap { abi.frames.adapters[$0.parts.qualified] }.first
    }
    let path = called.split(separator: ".").map(String.init)
    if path.last == abi.frames.groupEnd { return "with" + path[0] }
    if abi.frames.sleeps.contains(called) { return "Task.sleep" }
    return path.count == 1 && called.hasSuffix("()") ? String(called.dropLast(2)) : called
  }
}
