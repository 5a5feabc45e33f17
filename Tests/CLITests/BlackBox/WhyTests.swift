import Foundation
import MemlabKit
import MemlabScenarios
import TestSupport
import Testing

@Suite("Why something is alive", .needsHeap)
struct WhyTests {
  @Test("is said of every task that never finishes", arguments: Catalog.scenarios)
  func tasks(scenario: Scenario) throws {
    let report = try FirstRuns.text(of: scenario.id).stdout
    for block in report.components(separatedBy: "\n  ending ").dropFirst() {
      let left = block.newlineSeparated.filter { $0.hasSuffix("   never finishes") }
        .compactMap { $0.split(separator: "  ").first?.trimmingPrefix(" ") }
      for name in left {
        let isExplained =
          block.contains("why task \(name) never finishes")
          || block.contains(" tasks \(name) never finish")
          || block.contains("      task \(name), suspended in ")
        #expect(isExplained, "\(name)")
      }
    }
  }
}
