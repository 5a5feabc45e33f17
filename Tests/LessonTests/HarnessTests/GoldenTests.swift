import Foundation
import TestSupport
import Testing

@Suite("Golden files") struct GoldenTests {
  @Test("a text that is the same passes, recording or not") func same() throws {
    let checkout = try Checkout(["a.txt": "one\n"])
    for isRecording in [false, true] {
      try Golden.check(
        "one\n", file: checkout.root.appending(path: "a.txt").path, isRecording: isRecording)
    }
  }

  @Test("a text that differs fails with the lines and the command that renews it")
  func different() throws {
    let checkout = try Checkout(["a.txt": "one\ntwo\nthree\n"])
    let file = checkout.root.appending(path: "a.txt").path
    let failure = #expect(throws: GoldenFailure.self) {
      try Golden.check("one\n2\nthree\n", file: file, isRecording: false)
    }
    #expect(
      failure?.description == """
        \(file) is out of date; renew it with 'make record'
          one
        - two
        + 2
          three
          \("")
        """)
  }

  @Test("recording rewrites the file, makes its folder, and fails once") func recording() throws {
    let checkout = try Checkout()
    let file = checkout.root.appending(path: "Golden/new/a.txt").path
    #expect(throws: GoldenFailure.self) {
      try Golden.check("one\n", file: file, isRecording: false)
    }
    let failure = #expect(throws: GoldenFailure.self) {
      try Golden.check("one\n", file: file, isRecording: true)
    }
    #expect(failure?.description == "rewrote \(file); run again without MEMLAB_RECORD")
    try Golden.check("one\n", file: file, isRecording: false)
  }

  @Test("a difference shows only the lines around it, and not too many") func difference() {
    let old = (1...9).map(String.init)
    let new = (0...9).map { $0 == 7 ? "seven" : "\($0)" }
    #expect(
      LineDiff.text(from: old, to: new) == "+ 0\n  1\n  2\n  ⋮\n  5\n  6\n- 7\n+ seven\n  8\n  9")
    #expect(LineDiff.text(from: old, to: [], limit: 2) == "- 1\n- 2\n  and 7 more lines")
  }
}
