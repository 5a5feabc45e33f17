import Foundation
import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("What a terminal can show") struct TerminalTests {
  @Test("colour is used on a terminal that can, unless the user says otherwise") func colour() {
    func uses(_ choice: ColorChoice, _ isInteractive: Bool, _ variables: [String: String]) -> Bool {
      Terminal.usesColor(choice, isInteractive: isInteractive, environment: { variables[$0] })
    }
    let xterm = ["TERM": "xterm-256color"]
    #expect(uses(.auto, true, xterm))
    #expect(!uses(.auto, false, xterm))
    #expect(!uses(.auto, true, ["TERM": "dumb"]))
    #expect(!uses(.auto, true, [:]))
    #expect(!uses(.auto, true, xterm.merging(["NO_COLOR": "1"]) { $1 }))
    #expect(uses(.auto, true, xterm.merging(["NO_COLOR": ""]) { $1 }))
    #expect(uses(.always, false, ["NO_COLOR": "1", "TERM": "dumb"]))
    #expect(!uses(.never, true, xterm))
  }

  @Test("COLUMNS wins if it makes sense, then the terminal, then 80") func width() {
    func width(_ measured: Int?, _ columns: String?) -> Int {
      Terminal.width(measured: measured, environment: { $0 == "COLUMNS" ? columns : nil })
    }
    #expect(width(nil, nil) == 80)
    #expect(width(132, nil) == 132)
    #expect(width(132, "100") == 100)
    for nonsense in ["", "0", "-5", "wide", "99999999999999999999"] {
      #expect(width(132, nonsense) == 132, "\(nonsense)")
    }
    #expect(width(3, nil) == 20)
  }

  @Test("a pipe is no terminal") func pipes() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    let place = Terminal(descriptor: ends[1], environment: { $0 == "TERM" ? "xterm" : nil })
    #expect(place == Terminal(isInteractive: false, width: 80, usesColor: false))
  }

  #if os(Linux)
    @Test("a terminal is measured and coloured") func pseudoTerminal() throws {
      let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let xterm: Environment = { $0 == "TERM" ? "xterm" : nil }
      let unmeasured = Terminal(descriptor: descriptor, environment: xterm)
      #expect(unmeasured == Terminal(isInteractive: true, width: 80, usesColor: true))
      var size = winsize(ws_row: 24, ws_col: 97, ws_xpixel: 0, ws_ypixel: 0)
      try #require(ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0)
      let place = Terminal(descriptor: descriptor, environment: xterm)
      #expect(place == Terminal(isInteractive: true, width: 97, usesColor: true))
    }
  #endif
}
