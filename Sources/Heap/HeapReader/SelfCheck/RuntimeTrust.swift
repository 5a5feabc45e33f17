import MemlabHeapModel
package import MemlabRuntimeABI

/// What the self-check has found this process's runtime to do otherwise than the table says.
///
/// Whatever depends on it is left out, or said less of, from then on.
package enum RuntimeTrust {
  private static let doubted = Guarded<Set<RuntimeProbe>>([])

  /// Whether what a probe checks can be relied on; true until the probe has failed.
  package static func knows(_ probe: RuntimeProbe) -> Bool {
    doubted.withLock { !$0.contains(probe) }
  }

  /// Notes which probes have failed. Types are read again when they are met next.
  static func doubt(_ probes: Set<RuntimeProbe>) {
    let isNew = doubted.withLock { doubted in
      defer { doubted.formUnion(probes) }
      return !probes.isSubset(of: doubted)
    }
    if isNew { Survey.forgetLayouts() }
  }
}
