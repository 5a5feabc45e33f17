import MemlabKit

/// Chains that say the same of several objects, to be shown once.
struct AlikeChains {
  /// What they say.
  let chain: ReferenceChain
  private(set) var references: [Int]

  /// The chains of a trial, in the order of the first of each kind.
  static func all(of trial: TrialReport) -> [AlikeChains] {
    ReferenceChain.all(of: trial).reduce(into: []) { groups, chain in
      if let known = groups.firstIndex(where: { $0.chain.saysTheSame(as: chain) }) {
        groups[known].references.append(chain.references)
      } else {
        groups.append(AlikeChains(chain: chain, references: [chain.references]))
      }
    }
  }

  /// What is alive, as words that go around its name: "why 3 Call are alive".
  var words: (before: String, after: String) {
    references.count == 1 ? ("why ", " is alive") : ("why \(references.count) ", " are alive")
  }

  /// How many strong references to each object were found: "1 strong reference each", or where the
  /// objects differ in that "2, 2, 1 strong references".
  var found: String {
    guard Set(references).count == 1 else {
      return references.map { "\($0)" }.joined(separator: ", ") + " strong references"
    }
    return counted(references[0], "strong reference") + (references.count == 1 ? "" : " each")
  }
}

extension ReferenceChain {
  fileprivate func saysTheSame(as other: ReferenceChain) -> Bool {
    type == other.type && root == other.root && rows == other.rows
  }
}
