import Foundation
import TestSupport
import Testing

@Suite("Lesson 10", .serialized) struct LessonTests {
  /// A transcript, and where it stands in the lesson.
  struct Scene {
    let block: Int
    let transcript: Transcript
  }

  private static let path = "Lessons/10-a-server-that-grows/README.md"
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../../../\(path)").standardizedFileURL

  @Test("each transcript is what a server prints") func transcripts() throws {
    let source = try String(contentsOf: Self.file, encoding: .utf8)
    let text = MarkdownText(path: Self.path, text: source)
    let stage = try Stage()
    var renewed: [Int: [String]] = [:]
    var count = 0
    for (index, block) in text.blocks.enumerated()
    where block.comment?.hasPrefix("played by:") == true {
      let (lines, played) = try play(Transcript(block.lines), at: block, on: stage)
      count += played
      if lines != block.lines { renewed[index] = lines }
    }
    #expect(try stage.stop() == 0)
    #expect(count > 10, "nothing is played")
    guard !renewed.isEmpty, Recording.isOn else { return }
    try Data(text.replacing(renewed).utf8).write(to: Self.file)
    Issue.record("rewrote \(Self.path); \(Recording.again)")
  }

  /// Plays a block, and says what is wrong.
  ///
  /// - Returns: the block as it should be, and how many commands were run.
  private func play(
    _ transcript: Transcript, at block: FencedBlock, on stage: Stage
  ) throws -> (lines: [String], played: Int) {
    var (lines, played, code) = ([String](), 0, Int32(0))
    for entry in transcript.entries {
      lines.append("$ " + entry.command)
      let result: Stage.Result?
      if entry.command == "echo $?" {
        result = Stage.Result(lines: ["\(code)"], code: 0)
      } else {
        result = try stage.run(entry.command)
      }
      let place = Comment("line \(block.lineNumber(entry.line)): '\(entry.command)'")
      guard let result else {
        #expect(entry.output == [], place)
        continue
      }
      (played, code) = (played + 1, result.code)
      let shown = Elision(entry.output)
      if shown.matches(result.lines) {
        lines += entry.output
      } else {
        let now = shown.shortened(result.lines) ?? result.lines
        lines += now
        Issue.record("\(place)\n\(LineDiff.text(from: entry.output, to: now))")
      }
    }
    return (lines, played)
  }
}
