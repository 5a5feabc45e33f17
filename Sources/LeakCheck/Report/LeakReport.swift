/// What a test is told about one leak.
package struct LeakReport: Sendable {
  /// Whether the test fails, or is only warned: the leak is declared, or in the baseline.
  package let isFailure: Bool
  /// What leaks, why, and how certain that is.
  package let text: String

  /// The report on a leak.
  ///
  /// - Parameters:
  ///   - survivor: the declaration that covers it.
  ///   - baseline: the leaks that are known.
  init(_ leak: Leak, in finding: Finding, survivor: KnownSurvivor?, baseline: Baseline?) {
    let fingerprint = Fingerprint(of: leak)
    var isOld = false
    var advice: String?
    if survivor == nil, let baseline {
      do { isOld = try baseline.knows(fingerprint, leak.title) } catch {
        advice = baseline.advice(on: error)
      }
    }
    isFailure = survivor == nil && !isOld
    var lines = [leak.title] + leak.details
    if let survivor {
      lines[0] += ", as declared: \(survivor.reason)"
    } else {
      lines[0] += isOld ? ", as it was before (\(baseline?.name ?? ""))" : ""
      lines.append(finding.certainty)
    }
    lines.append("fingerprint \(fingerprint)")
    if let advice { lines.append(advice) }
    text = lines.joined(separator: "\n")
  }

  /// A report of another failure.
  init(failure: String) {
    isFailure = true
    text = failure
  }
}

extension Finding {
  /// How certain the finding is.
  fileprivate var certainty: String {
    switch (reason, look) {
    case (.certain, _): "certain: nothing that lives can reach it any more"
    case (.timeIsUp(let limit), .success):
      "gave up waiting after \(limit): something may yet end it, but has not"
    case (.timeIsUp(let limit), .failure(let error)):
      "gave up waiting after \(limit); the heap was not read: \(error.reason)"
    case (.cancelled, .success): "stopped waiting: the test was cancelled"
    case (.cancelled, .failure(let error)):
      "stopped waiting: the test was cancelled; the heap was not read: \(error.reason)"
    }
  }
}
