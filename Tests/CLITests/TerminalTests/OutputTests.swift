import Foundation
import MemlabCLI
import MemlabTerminalText
import Synchronization
import TestSupport
import Testing

@Suite("Writing output") struct OutputTests {
  @Test("short writes and interruptions lose and repeat nothing") func partialWrites() throws {
    let received = Mutex<(bytes: [UInt8], calls: Int)>(([], 0))
    let output = Output(descriptor: -1) { _, bytes in
      received.withLock { received in
        received.calls += 1
        if received.calls.isMultiple(of: 2) { return .retry }
        received.bytes += bytes.prefix(3)
        return .wrote(min(3, bytes.count))
      }
    }
    try output.write("누수 leaks\n")
    try output.write("")
    #expect(received.withLock { String(decoding: $0.bytes, as: UTF8.self) } == "누수 leaks\n")
    #expect(received.withLock { $0.calls } == 9)
  }

  #if os(Linux)
    @Test("a pipe that does not block and is full is waited for") func nonBlockingPipe() throws {
      let pipe = Pipe()
      let descriptor = pipe.fileHandleForWriting.fileDescriptor
      #expect(fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0)
      let text = String(repeating: "0123456789abcdef", count: 20_000)
      let reader = BackgroundReader(pipe.fileHandleForReading)
      try Output(descriptor: descriptor).write(text)
      try pipe.fileHandleForWriting.close()
      #expect(reader.text() == text)
    }
  #endif

  @Test("after the reader has gone the rest is swallowed without another call")
  func readerIsGone() throws {
    let calls = Mutex(0)
    let output = Output(descriptor: -1) { _, _ in
      calls.withLock { $0 += 1 }
      return .readerIsGone
    }
    try output.write("one")
    try output.write("two")
    #expect(calls.withLock { $0 } == 1)
  }

  @Test("any other failure is thrown, and thrown again") func failure() {
    let (output, expected) = (Output(descriptor: -1), OutputError(code: EBADF))
    #expect(throws: expected) { try output.write("x") }
    #expect(throws: expected) { try output.write("") }
    #expect(expected.exitCode.rawValue == 74)
  }

  #if os(Linux)
    @Test("a full disk is an error with a sentence") func fullDisk() throws {
      let descriptor = open("/dev/full", O_WRONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let output = Output(descriptor: descriptor)
      let error = #expect(throws: OutputError.self) { try output.write("x") }
      #expect(
        error?.description == "Error: The output could not be written: No space left on device.\n")
    }
  #endif

  @Test("a broken pipe does not end the program") func brokenPipe() async {
    await #expect(processExitsWith: .exitCode(7)) {
      var ends: [Int32] = [0, 0]
      guard pipe(&ends) == 0 else { exit(1) }
      close(ends[0])
      dup2(ends[1], 1)
      try Output.standard.write("nobody reads this")
      exit(7)
    }
  }

  @Test("what was written before a trap is not lost") func survivesATrap() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardOutputContent]) {
      try Output.standard.write("before the trap")
      fatalError("on purpose")
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(text.contains("before the trap"))
  }

  @Test("the program's exit codes are the documented ones") func exitCodes() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 64, 65, 70, 74])
  }
}
