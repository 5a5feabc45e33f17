import Foundation
import TestSupport
import Testing

@Suite("Running programs") struct ProgramTests {
  private let shell = Program(URL(fileURLWithPath: "/bin/sh"))

  @Test("both outputs and the exit code come back") func outputs() throws {
    let result = try shell.run(["-c", "echo out; echo err >&2; exit 3"])
    #expect(result == ProgramResult(stdout: "out\n", stderr: "err\n", exitCode: 3))
  }

  @Test("more than a pipe holds is read from both outputs, whichever is filled first")
  func bigOutputs() throws {
    let fill = "head -c 300000 /dev/zero"
    for script in ["\(fill); \(fill) >&2", "\(fill) >&2; \(fill)"] {
      let result = try shell.run(["-c", script])
      #expect(result.stdout.utf8.count == 300_000)
      #expect(result.stderr.utf8.count == 300_000)
    }
  }

  @Test("input is read, or left unread, however long it is") func input() throws {
    let text = String(repeating: "line\n", count: 50_000)
    #expect(try shell.run(["-c", "cat"], stdin: text).stdout == text)
    #expect(try shell.run(["-c", "exit 0"], stdin: text).exitCode == 0)
    #expect(try shell.run(["-c", "cat"]).stdout == "")
  }

  @Test("a variable can be added and taken away") func environment() throws {
    let script = "echo ${A-none} ${HOME-none}"
    let result = try shell.run(["-c", script], environment: ["A": "1", "HOME": nil])
    #expect(result.stdout == "1 none\n")
  }

  @Test("a signal that ends the program is told as a shell tells it") func signal() throws {
    #expect(try shell.run(["-c", "kill -9 $$"]).exitCode == 137)
  }

  @Test("a program that does not end is killed, and the result says so") func limit() throws {
    let result = try shell.run(["-c", "echo begun; exec sleep 600"], limit: .milliseconds(300))
    #expect(result.stdout == "begun\n")
    #expect(result.stderr.contains("killed, because it had not ended after 0.3 seconds"))
    #expect(result.exitCode == 137)
  }

  @Test("output can go to a full disk or to a reader that has gone") func destinations() throws {
    let script = "trap '' PIPE; echo out || exit 7"
    #expect(try shell.run(["-c", script], stdout: .file("/dev/full")).exitCode == 7)
    #expect(try shell.run(["-c", script], stdout: .closedPipe).exitCode == 7)
  }

  @Test("a program that is not there is an error") func missing() {
    #expect(throws: (any Error).self) { try Program(URL(fileURLWithPath: "/none")).run() }
  }

  @Test("memlab is built beside the tests and runs") func memlab() throws {
    #expect(try !MemlabBinary.run(["--version"]).exits(0).stdout.isEmpty)
  }
}
