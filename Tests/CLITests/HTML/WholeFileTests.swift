import Foundation
import MemlabCLI
import MemlabTerminalText
import Testing

@Suite("A file that is written whole or not at all") struct WholeFileTests {
  @Test("is there with the text, and nothing else is") func new() throws {
    try inFolder { folder in
      try WholeFile(folder + "/page.html").write("whole")
      #expect(try contents(folder) == ["page.html": "whole"])
      let mode = try FileManager.default.attributesOfItem(atPath: folder + "/page.html")
      #expect((mode[.posixPermissions] as? Int).map { $0 & 0o600 } == 0o600)
    }
  }

  @Test("replaces what was there, and keeps its permissions") func replacement() throws {
    try inFolder { folder in
      let path = folder + "/page.html"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      try WholeFile(path).write("new")
      #expect(try contents(folder) == ["page.html": "new"])
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o640)
    }
  }

  @Test("goes where a link points to") func link() throws {
    try inFolder { folder in
      try Data("old".utf8).write(to: URL(fileURLWithPath: folder + "/page.html"))
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: "page.html")
      try WholeFile(folder + "/link").write("new")
      #expect(try contents(folder) == ["page.html": "new", "link": "new"])
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/link")
      #expect(target == "page.html")
    }
  }

  @Test("takes the place of a link that points to nothing") func danglingLink() throws {
    try inFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: "missing.html")
      try WholeFile(folder + "/link").write("new")
      #expect(try contents(folder) == ["link": "new"])
    }
  }

  @Test("is what it was when the disk is full half-way, and leaves nothing behind")
  func fullDisk() throws {
    try inFolder { folder in
      let path = folder + "/page.html"
      try Data("old".utf8).write(to: URL(fileURLWithPath: path))
      let full = WholeFile(path) { descriptor, bytes in
        guard bytes.count > 3 else { return .failed(28) }
        return SystemCalls.write(descriptor, UnsafeRawBufferPointer(rebasing: bytes.dropLast(3)))
      }
      #expect(throws: OutputError(code: 28, file: path)) { try full.write("something new") }
      #expect(try contents(folder) == ["page.html": "old"])
    }
  }

  @Test("is not made where there is no folder, and the error names it") func noFolder() throws {
    try inFolder { folder in
      let path = folder + "/missing/page.html"
      let error = #expect(throws: OutputError.self) { try WholeFile(path).write("text") }
      let sentence = error?.description ?? ""
      #expect(sentence.hasSuffix(" could not be written: No such file or directory.\n"))
      let found = try contents(folder)
      #expect(found.isEmpty)
    }
  }

  @Test("does not take the place of a folder or a device") func others() throws {
    try inFolder { folder in
      let error = #expect(throws: OutputError.self) { try WholeFile(folder).write("text") }
      #expect(error?.description.hasSuffix("Is a directory.\n") == true)
      try WholeFile("/dev/null").write("text")
      let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
      #expect(kind as? FileAttributeType == .typeCharacterSpecial)
    }
  }

  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func contents(_ folder: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return Dictionary(
      uniqueKeysWithValues: try names.map { name in
        (name, try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
      })
  }
}
