import CMemlabProcess
import MemlabHeapModel
import MemlabRuntimeABI

/// Linker names, and what the demangler makes of them.
///
/// Nothing is planted: the names are given, and the runtime's demangler is asked what it says today.
struct NameChecks: Planting {
  private struct Private {}

  func compare(_ findings: inout ProbeFindings) {
    findings.expect("symbols.demangle", loaded_symbol(abi.symbols.demangle) != nil)
    // A program that has the core library in it exports nothing.
    if loaded_symbol("swift_retain") != nil {
      findings.expect("symbols.inCore", loaded_symbol(abi.symbols.inCore) != nil)
    }
    findings.expect(
      "symbols.privateScope",
      Self.name(of: Private.self).contains("\(abi.symbols.privateScope)"))
    compareSuffixes(&findings)
    compareGlue(&findings)
    compareScopes(&findings)
  }

  // The optimizer knows the name of a type that it sees, and has another for its scope.
  @_optimize(none) @inline(never)
  private static func name(of type: Any.Type) -> String { _typeName(type, qualified: true) }

  private func says(_ mangled: String) -> String { Demangling.demangle(mangled) ?? "" }

  private func compareSuffixes(_ findings: inout ProbeFindings) {
    let parts = abi.symbols.resumeSuffixes.map { says("$s3App4loadyyYaF\($0)0_") }
    findings.expect(
      "symbols.resumeSuffixes",
      ["await", "suspend"].allSatisfy { kind in
        parts.contains { $0.contains(" \(kind) resume partial function for ") }
      })
    compareBeginnings(&findings)
    findings.expect(
      "symbols.variableSuffix",
      says("$s3App5StoreC6shared\(abi.symbols.variableSuffix)")
        == "static App.Store.shared : Swift.Int")
  }

  /// What the demangler says of each name begins, but for a number, with what a row has.
  private func compareBeginnings(_ findings: inout ProbeFindings) {
    let (symbols, glue) = (abi.symbols, abi.glue)
    for (row, mangled, beginning) in [
      ("symbols.forwarderSuffix", "$s3App4loadyyF\(symbols.forwarderSuffix)", "partial apply "),
      (
        "symbols.constantMark", "$s3App5StoreC6shared\(symbols.constantMark)_",
        "outlined variable #"
      ),
      ("glue.reabstraction", "$sIeg_ytIegr_TR", "\(glue.reabstraction)"),
      ("glue.merged", "$s3App4loadyyFTm", "\(glue.merged)"),
      ("glue.closure", "$s3App4loadyyFyyXEfU_", "\(glue.closure)1 "),
      ("glue.implicitClosure", "$s3App4loadyyFyycfu_", "\(glue.implicitClosure)1 "),
      ("glue.extensionMark", "$sSS3AppE4loadyyF", "\(glue.extensionMark)App):"),
    ] {
      findings.expect(row, says(mangled).hasPrefix(beginning))
    }
  }

  private func compareGlue(_ findings: inout ProbeFindings) {
    let glue = abi.glue
    let forwarders = glue.forwarders.map { "\($0)" }
    // A closure's, a method's, an unapplied method's, an async function's and a distributed one's.
    let names = ["TA", "Tj", "Tc", "Tu", "TE"].map { says("$s3App5StoreC4loadyyYaF" + $0) }
    findings.expect(
      "glue.forwarders",
      names.allSatisfy { name in forwarders.contains { name.hasPrefix($0) } })
    let witness = says("$s3App5StoreVAA6LoaderA2aDP4loadyyFTW")
    findings.expect("glue.witness", witness.hasPrefix("\(glue.witness)"))
    findings.expect("glue.conformance", witness.contains("\(glue.conformance)"))
    let specializations = glue.specializations.map { "\($0)" }
    let special = [says("$s3App4loadyyxlFSi_Tg5"), says("$s3App4loadyySiFTf4d_n")]
    findings.expect(
      "glue.specializations",
      special.allSatisfy { name in
        name.contains("specialization <") && specializations.contains { name.hasPrefix($0) }
      })
    findings.expect("glue.inlinedClosures", knowsInlinedClosures)
  }

  // A closure without captures that the optimizer has put into a thunk.
  private var knowsInlinedClosures: Bool {
    let closure = "$s3App4loadSiyYaFSiyXEfu_"
    let name = says("$sSiIgd_SiIegr_TR\(closure.utf8.count)\(closure)Tf3npf_n")
    let marks = abi.glue.inlinedClosures.map { "\($0)" }
    return marks.contains { name.contains("[" + $0 + "implicit closure #1 ") }
  }

  private func compareScopes(_ findings: inout ProbeFindings) {
    let accessors = ["g", "s", "M", "r", "au"].map { says("$s3App5countSiv" + $0) }
    findings.expect(
      "glue.accessors",
      accessors.allSatisfy { name in
        let word = name.dropFirst("App.count.".count).prefix { $0 != " " }
        return abi.glue.accessors.contains(String(word))
      })
  }
}
