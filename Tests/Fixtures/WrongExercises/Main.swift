import Foundation
import MemlabCLI
import MemlabCourse
import MemlabExercises
import MemlabFull
import MemlabKit
import MemlabTerminalText
import MemlabWitness

/// Puts every wrong solution through its exercise and prints what was said of each, as a line of JSON.
///
/// It stops at the first ending of which the expected sentence is said. With the name of a mistake
/// after the number, it shows what a learner sees who makes it: `WrongExercises 17 traps`.
@main enum Main {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    let wanted = words.first
    if words.count > 1 { return show(words[0], mistake: words[1], options: words.dropFirst(2)) }
    let equipment = (scheduler: try VirtualScheduler.install(), witness: try RealHeap())
    for solution in WrongSolution.all where wanted == nil || solution.exercise.number == wanted {
      let verdict = try Verdict(on: solution) { (equipment.scheduler, equipment.witness) }
      print(String(decoding: try JSONEncoder().encode(verdict), as: UTF8.self))
    }
  }

  private static func show(_ number: String, mistake: String, options: ArraySlice<String>) {
    let chosen = WrongSolution.all.first { $0.exercise.number == number && $0.mistake == mistake }
    guard let chosen else {
      return print("There is no mistake '\(mistake)' in exercise '\(number)'.")
    }
    chosen.prepare()
    var session = Session.ofProgram(.memlab)
    session.app.course?.exercises = { [chosen.exercise] }
    _ = Memlab(session: session).run(["exercise", number] + options)
  }
}

/// What came of one solution.
private struct Verdict: Encodable {
  let exercise: String
  let mistake: String
  let expected: String?
  var isSolved = true
  var sentences: [String] = []

  init(on solution: WrongSolution, equip: @escaping () throws -> ExerciseRun.Equipment) throws {
    exercise = solution.exercise.number
    (mistake, expected) = (solution.mistake, solution.sentence)
    solution.prepare()
    // What grows matters, and is measured, only when nothing else is wrong.
    for measuresGrowth in [false, true] where isSolved {
      for ending in solution.exercise.endings {
        let run = try ExerciseRun(
          [ending], detail: .holders, isApart: Isolation.isAvailable, limit: solution.timeLimit,
          isSingleThreaded: true, measuringGrowth: measuresGrowth, equip: equip)
        let judged = run.next()
        isSolved = isSolved && judged.isSolved
        sentences += judged.sentences(of: solution.exercise)
        if let expected, sentences.contains(where: { $0.contains(expected) }) { return }
      }
    }
  }
}
