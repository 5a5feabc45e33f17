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
    findings.expect(
      "symbols.forwarderSuffix",
      says("$s3App4loadyyF\(abi.symbols.forwarderSuffix)").hasPrefix("partial apply "))
    findings.expect(
      "symbols.constantMark",
      says("$s3App5StoreC6shared\(abi.symbols.constantMark)_").hasPrefix("outlined variable #"))
    findings.expect(
      "symbols.variableSuffix",
      says("$s3App5StoreC6shared\(abi.symbols.variableSuffix)")
        == "static App.Store.shared : Swift.Int")
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
    findings.expect(
      "glue.reabstraction", says("$sIeg_ytIegr_TR").hasPrefix("\(glue.reabstraction)"))
    findings.expect("glue.merged", says("$s3App4loadyyFTm").hasPrefix("\(glue.merged)"))
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
    let glue = abi.glue
    findings.expect(
      "glue.closure", says("$s3App4loadyyFyyXEfU_").hasPrefix("\(glue.closure)1 "))
    findings.expect(
      "glue.implicitClosure", says("$s3App4loadyyFyycfu_").hasPrefix("\(glue.implicitClosure)1 "))
    findings.expect(
      "glue.extensionMark", says("$sSS3AppE4loadyyF").hasPrefix("\(glue.extensionMark)App):"))
    let accessors = ["g", "s", "M", "r", "au"].map { says("$s3App5countSiv" + $0) }
    findings.expect(
      "glue.accessors",
      accessors.allSatisfy { name in
        let word = name.dropFirst("App.count.".count).prefix { $0 != " " }
        return abi.glue.accessors.contains(String(word))
      })
  }
}
