import MemlabFull
import MemlabTerminalText

#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  @Suite("A watch over a file") struct FileWatchTests {
    @Test("hears of a save, in place or as a new file with the old name", arguments: [false, true])
    func saves(isAtomic: Bool) throws {
      let folder = try Scratch.folder()
      let file = folder.appending(path: "Mine.swift")
      try Data("one".utf8).write(to: file)
      let watch = try FileWatch(of: file.path)
      try Data("other".utf8).write(to: folder.appending(path: "Other.swift"))
      try Data("two".utf8).write(to: file, options: isAtomic ? .atomic : [])
      #expect(try watch.waitForSave())
    }

    @Test("says what cannot be watched") func missing() {
      #expect(throws: FileWatchError.self) { try FileWatch(of: "/nowhere/at/all.swift") }
    }
  }
#endif
