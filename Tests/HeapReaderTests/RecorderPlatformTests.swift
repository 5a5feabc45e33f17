import FoundationEssentials
import TestSupport
import Testing

@Suite("The recorder is built") struct RecorderPlatformTests {
  @Test(
    "only for processors whose addresses its directory has a place for",
    arguments: [("x86_64", 1), ("aarch64", 1), ("riscv64", 0), ("s390x", 0)])
  func processor(name: String, isAvailable: Int) throws {
    let folder = Repository.url("Sources/Heap/CMemlabRecorder").path
    let clang = Program(URL(filePath: "/usr/bin/env"))
    // A distribution may have put it beside the Swift compiler, out of the way.
    let usual = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let path = "\(usual):/usr/libexec/swift/bin"
    let run = try clang.run([
      "PATH=\(path)", "clang", "--target=\(name)-unknown-linux-gnu", "-D__GLIBC__=2",
      "-ffreestanding",
      "-nostdlibinc", "-I", "\(folder)/include", "-I", "\(folder)/../CMemlabProcess/include", "-E",
      "-dM", "\(folder)/platform.h",
    ])
    #expect(run.exitCode == 0, "\(run.stderr)")
    #expect(run.stdout.contains("\n#define HEAP_RECORDER_AVAILABLE \(isAvailable)\n"))
  }
}
