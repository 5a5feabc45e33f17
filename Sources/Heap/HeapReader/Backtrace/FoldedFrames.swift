import MemlabHeapModel
import MemlabRuntimeABI

/// Sorts a task's functions into the one sentence for the library and the user's own frames.
struct FoldedFrames {
  /// The library function that the user's code called and that suspended; nil where none has a name.
  let suspendedIn: String?
  /// From the innermost function of the user to the outermost.
  let visible: [Symbol]

  /// Folds functions given innermost first.
  init(_ symbols: [Symbol]) {
    let functions = FoldedFrames.withoutGlue(symbols)
    let top = functions.prefix { $0.isLibrary }
    let rest = functions.dropFirst(top.count)
    let last = rest.lastIndex { !$0.isLibrary }
    visible = last.map { Array(rest[...$0]) } ?? []
    suspendedIn = FoldedFrames.sentence(Array(top))
  }

  /// Leaves out thunks, except where one is all that is left of its function after inlining.
  private static func withoutGlue(_ symbols: [Symbol]) -> [Symbol] {
    var kept: [Symbol] = []
    for symbol in symbols where symbol.parts.glue != .reabstraction {
      let isEcho = kept.last?.parts.short == symbol.parts.short
      let isNoise = symbol.isLibrary && (symbol.parts.glue != nil || isClosure(symbol))
      if isNoise || symbol.parts.glue == .forwarder && isEcho { continue }
      kept.append(symbol)
    }
    return kept
  }

  private static func isClosure(_ symbol: Symbol) -> Bool {
    symbol.parts.qualified.utf8.contains(UInt8(ascii: "#"))
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
