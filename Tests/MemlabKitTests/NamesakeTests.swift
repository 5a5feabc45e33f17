import Foundation
import TestSupport
import Testing

@Suite("Tasks of one name", .needsHeap) struct NamesakeTests {
  private static let places = ["waitForResumption()", "waitForElement()"]

  @Test("that wait at two places are reported with both") func apart() throws {
    let report = try HardCases.run("namesakes", "--ending", "apart").stdout
    #expect(report.count(of: "why task worker never finishes") == 2, "\(report)")
    for place in Self.places { #expect(report.count(of: "└─ \(place)") == 1, "\(report)") }
    let json = try HardCases.run("namesakes", "--ending", "apart", "--format", "json").stdout
    for place in Self.places { #expect(json.count(of: place) == 1, "\(json)") }
  }

  @Test("that wait at the same place are counted") func together() throws {
    let report = try HardCases.run("namesakes", "--ending", "together").stdout
    #expect(report.count(of: "why 2 tasks worker never finish") == 1, "\(report)")
    #expect(report.count(of: "└─ waitForResumption()") == 1, "\(report)")
  }

  @Test("are told apart where only one of them holds what is left") func holder() throws {
    let report = OtherSwift.common(try HardCases.run("namesakes", "--ending", "holder").stdout)
    let place = OtherSwift.common("AsyncStream.Iterator.next()")
    #expect(report.count(of: "task worker, suspended in \(place)") == 1, "\(report)")
    #expect(report.count(of: "why task worker never finishes") == 1, "\(report)")
    #expect(report.count(of: "└─ waitForResumption()") == 1, "\(report)")
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
