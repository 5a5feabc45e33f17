import CMemlabProcess
import Glibc
import MemlabHeapModel
import MemlabRuntimeABI

/// Linker names, and what the demangler makes of them.
///
/// Nothing is planted: the names are given, and the runtime's demangler is asked what it says today.
struct NameChecks: Planting {
  private struct Private {}

  func compare(_ findings: inout ProbeFindings) {
    let symbols = abi.symbols
    findings.expect("symbols.demangle", CFunction.address(symbols.demangle) != nil)
    // A program that has the core library in it exports nothing.
    if CFunction.address("swift_retain") != nil {
      findings.expect("symbols.inCore", CFunction.address(symbols.inCore) != nil)
    }
    let name = Self.name(of: Private.self)
    findings.expect("symbols.privateScope", name.contains("\(symbols.privateScope)"))
    let parts = symbols.resumeSuffixes.map { says("$s3App4loadyyYaF\($0)0_") }
    for kind in ["await", "suspend"] {
      let isSaid = parts.contains { $0.contains(" \(kind) resume partial function for ") }
      findings.expect("symbols.resumeSuffixes", isSaid)
    }
    let variable = says("$s3App5StoreC6shared\(symbols.variableSuffix)")
    findings.expect("symbols.variableSuffix", variable == "static App.Store.shared : Swift.Int")
    compareBeginnings(&findings)
    compareGlue(&findings)
  }

  // The optimizer knows the name of a type that it sees, and has another for its scope.
  @_optimize(none) @inline(never)
  private static func name(of type: Any.Type) -> String { _typeName(type, qualified: true) }

  private func says(_ mangled: String) -> String { Demangling.demangle(mangled) ?? "" }

  /// What the demangler says of each name begins, but for a number, with what a row has.
  private func compareBeginnings(_ findings: inout ProbeFindings) {
    let (symbols, glue, constant) = (abi.symbols, abi.glue, "$s3App5StoreC6shared")
    for (row, mangled, beginning) in [
      ("symbols.forwarderSuffix", "$s3App4loadyyF\(symbols.forwarderSuffix)", "partial apply "),
      ("symbols.constantMark", constant + "\(symbols.constantMark)_", "outlined variable #"),
      ("glue.reabstraction", "$sIeg_ytIegr_TR", "\(glue.reabstraction)"),
      ("glue.merged", "$s3App4loadyyFTm", "\(glue.merged)"),
      ("glue.closure", "$s3App4loadyyFyyXEfU_", "\(glue.closure)1 "),
      ("glue.implicitClosure", "$s3App4loadyyFyycfu_", "\(glue.implicitClosure)1 "),
      ("glue.extensionMark", "$sSS3AppE4loadyyF", "\(glue.extensionMark)App):"),
    ] { findings.expect(row, says(mangled).hasPrefix(beginning)) }
  }

  private func compareGlue(_ findings: inout ProbeFindings) {
    let glue = abi.glue
    // A closure's, a method's, an unapplied method's, an async function's and a distributed one's.
    for suffix in ["TA", "Tj", "Tc", "Tu", "TE"] {
      let name = says("$s3App5StoreC4loadyyYaF" + suffix)
      findings.expect("glue.forwarders", glue.forwarders.beginsOne(name))
    }
    let witness = says("$s3App5StoreVAA6LoaderA2aDP4loadyyFTW")
    findings.expect("glue.witness", witness.hasPrefix("\(glue.witness)"))
    findings.expect("glue.conformance", witness.contains("\(glue.conformance)"))
    for name in [says("$s3App4loadyyxlFSi_Tg5"), says("$s3App4loadyySiFTf4d_n")] {
      let isSaid = name.contains("specialization <") && glue.specializations.beginsOne(name)
      findings.expect("glue.specializations", isSaid)
    }
    // A closure without captures that the optimizer has put into a thunk.
    let closure = "$s3App4loadSiyYaFSiyXEfu_"
    let thunk = says("$sSiIgd_SiIegr_TR\(closure.utf8.count)\(closure)Tf3npf_n")
    findings.expect(
      "glue.inlinedClosures",
      glue.inlinedClosures.contains { thunk.contains("[\($0)implicit closure #1 ") })
    for suffix in ["g", "s", "M", "r", "au"] {
      let word = says("$s3App5countSiv" + suffix).dropFirst("App.count.".count).prefix { $0 != " " }
      findings.expect("glue.accessors", glue.accessors.contains(String(word)))
    }
  }
}

/// The names of libraries, of their functions, and of the library that runs tests.
struct LibraryChecks: Planting {
  func compare(_ findings: inout ProbeFindings) {
    compareFunctions(&findings)
    compareLibraries(&findings)
    compareTestLibrary(&findings)
  }

  /// The types and the name of a function that the concurrency library exports.
  private func exported(_ mangled: String) -> String? {
    memlab_loaded_symbol(mangled) == nil ? nil : SymbolName(mangled: mangled).qualified
  }

  private func compareFunctions(_ findings: inout ProbeFindings) {
    let frames = abi.frames
    // The library exports the addresses of the adapters of tasks under their names.
    for adapter in ["task_future_wait_resume_adapter", "task_wait_throwing_resume_adapter"]
    where memlab_loaded_symbol("_swift_concurrency_debug_" + adapter) != nil {
      findings.expect("frames.adapters", frames.adapters[adapter] == "async let")
    }
    let task = "$sScTss5NeverORszABRs_rlE"
    for sleep in [
      "5sleep11nanosecondsys6UInt64V_tYaKFZ", "5sleepyys6UInt64VYaFZ",
      "5sleep5until9tolerance5clocky7InstantQyd___8DurationQyd__Sgqd__tYaKs5ClockRd__lFZ",
    ] {
      guard let name = exported(task + sleep) else { continue }
      findings.expect("frames.sleeps", frames.sleeps.contains(name))
    }
    if let name = exported("$sScG22awaitAllRemainingTasksyyYaF") {
      findings.expect("frames.groupEnd", name == "TaskGroup." + frames.groupEnd)
    }
    if let name = exported(task + "5yieldyyYaFZ") {
      findings.expect("frames.yield", name == frames.yield && ResumeChain.placeOfYield != nil)
    }
    // What a stripped library resumes in has no name.
    if let place = ResumeChain.placeOfYield.flatMap(Symbolizer.shared.symbol(at:)) {
      findings.expect("frames.yield", place.parts.qualified == frames.yield)
    }
    let closure =
      "$sScTss5NeverORs_rlE4name8priority9operationScTyxABGSSSg_ScPSgxyYaYAcntcfcyyYaYAcfU_"
    findings.expect("frames.taskInit", SymbolName(mangled: closure).short == frames.taskInit)
  }

  private func compareLibraries(_ findings: inout ProbeFindings) {
    let rows = abi.libraries
    for function in [
      "$ss5print_9separator10terminatoryypd_S2StF", "$sScTss5NeverORszABRs_rlE5yieldyyYaFZ",
    ] {
      let module = SymbolName(mangled: function).module ?? ""
      findings.expect("libraries.modules", rows.modules.contains(module))
    }
    let core = RuntimeFacts.coreLibrary == nil ? "" : "swift_retain"
    let all = ["swift_retain", "swift_task_create", "getpid", "dispatch_async_f"]
    for (row, symbol, beginnings) in all.map({ ("libraries.files", $0, rows.files) }) + [
      ("libraries.core", core, [rows.core]),
      ("libraries.concurrency", "swift_task_create", [rows.concurrency]),
      ("libraries.beginThreads", "pthread_create", rows.beginThreads),
      ("libraries.dispatch", "dispatch_async_f", [rows.dispatch]),
    ] {
      guard let library = CFunction.image(symbol)?.name else { continue }
      findings.expect(row, beginnings.contains { library.hasPrefix($0) })
    }
  }

  /// What is looked for in the file of Swift Testing, where the toolchain has put it beside the core
  /// library. Elsewhere nobody can tell, and nobody runs tests.
  private func compareTestLibrary(_ findings: inout ProbeFindings) {
    let name = "libTesting.so"
    guard let core = RuntimeFacts.coreLibrary, let slash = core.lastIndex(of: "/"),
      let file = ElfFile(path: core[...slash] + name)
    else { return }
    let rows = abi.testing
    findings.expect("testing.libraries", rows.libraries.contains { name.hasPrefix($0) })
    // A text of less than 16 bytes would stand in the code. In Swift 6.2, its tasks have no names.
    if !RuntimeColumn.isBefore63 {
      findings.expect(
        "testing.taskPrefix",
        rows.taskPrefix.utf8.count > 15 && file.contains("\0" + rows.taskPrefix + "\0"))
    }
    let type = "$s7Testing5GraphV"
    let isThere = file.contains(type)
    guard isThere || file.section(named: ".symtab") != nil else { return }
    let full = Demangling.demangle(type) ?? ""
    findings.expect("testing.typePrefix", isThere && full.hasPrefix(rows.typePrefix))
    findings.expect("testing.graph", isThere && full + "<" == rows.graph)
  }
}

extension ElfFile {
  /// Whether a text stands among its constants or its names.
  fileprivate func contains(_ text: String) -> Bool {
    [".rodata", ".strtab", ".dynstr"].contains { name in
      section(named: name).map { ByteSearch.first(Array(text.utf8), in: $0) != nil } ?? false
    }
  }
}
