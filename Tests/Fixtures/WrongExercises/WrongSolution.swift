import Foundation
import MemlabExercises
import MemlabKit
import Synchronization

/// A solution with one mistake in it, or none: then it is the usual one, or right in an unusual way.
///
/// The code of an exercise's wrong solutions is written once and asks ``Mistakes/now`` where they
/// differ, so that a hundred of them compile as fast as ten.
struct WrongSolution: Sendable {
  /// The exercise, judging this code.
  let exercise: Exercise
  /// The mistake's name; `none` for the control, or the name of an unusual way. Both must be accepted.
  let mistake: String
  /// A part of what must be said of it; nil for what must be accepted.
  let sentence: String?
  /// How long its steps may make no progress: code that never does is given up soon.
  var timeLimit: Duration {
    ["hangs", "semaphore"].contains(mistake) ? .milliseconds(600) : .seconds(10)
  }
  /// What the code does otherwise.
  let way: any Mistakes

  /// What the code does otherwise now.
  nonisolated(unsafe) static var now: any Mistakes = Wrong01.none

  /// Makes the code make this mistake from now on.
  func prepare() { Self.now = way }

  /// A part of what must be said of mistakes that can be made in many exercises, by their names.
  static let usual = [
    "exits": "Your code ended the process, with code 0",
    "pretends": "Your code ended the process, with code 0", "keepsAll": "held by",
    "hangs": "nothing has moved", "dropsProbe": "The probes do not tell what the heap shows",
    "collects": "although no object with a probe is left",
    "globalBag": "although no object with a probe is left",
    "hidesCycle": "Objects without a probe hold each other",
    "ownCopies": "tried to resume its continuation more than once",
    "resumesTwice": "tried to resume its continuation more than once",
    "unsafelyUnowned": "An unowned reference to an object that is gone ends like this",
  ]

  /// Every wrong solution, and for each exercise one that is right.
  static let all: [WrongSolution] = [
    Wrong01.all, Wrong02.all, Wrong03.all, Wrong04.all, Wrong05.all, Wrong06.all, Wrong07.all,
    Wrong08.all, Wrong09.all, Wrong11.all, Wrong12.all, Wrong13.all, Wrong14.all, Wrong15.all,
    Wrong16.all, Wrong17.all, Wrong18.all, Wrong19.all, Wrong21.all, Wrong22.all, Wrong23.all,
    Wrong24.all,
  ].flatMap { $0 }
}

/// The mistakes that can be made in one exercise.
protocol Mistakes: RawRepresentable<String>, CaseIterable, Sendable {
  /// No mistake.
  static var none: Self { get }
}

extension Mistakes {
  /// A solution for each mistake, below a part of what must be said of it unless that is the usual, the
  /// control, and what is right in an unusual way.
  static func solutions(
    of exercise: Exercise, _ sentences: KeyValuePairs<String, [Self]>, right: [Self] = []
  ) -> [WrongSolution] {
    let own = sentences.flatMap { sentence, mistakes in mistakes.map { ($0, sentence as String?) } }
    let accepted = ([none] + right).map { ($0, nil as String?) }
    let named = Set((accepted + own).map(\.0.rawValue))
    let usual = allCases.filter { !named.contains($0.rawValue) }.map { way in
      (way, WrongSolution.usual[way.rawValue, default: "nobody has said what"] as String?)
    }
    return (accepted + usual + own).map { way, sentence in
      WrongSolution(exercise: exercise, mistake: way.rawValue, sentence: sentence, way: way)
    }
  }

  /// What the code does otherwise now.
  static var now: Self { WrongSolution.now as? Self ?? Self.none }

  /// The probe of an object of which some mistakes are that it has none, or one that ends too soon.
  static func makeProbe<Object: AnyObject>(of type: Object.Type) -> Probe? {
    switch now.rawValue {
    case "noProbe": return nil
    case "dropsProbe":
      dropped(Probe(type))
      return nil
    default: return Probe(type)
    }
  }
}

/// A reference that counts nothing and asks nothing.
struct Unsafely<Object: AnyObject> {
  unowned(unsafe) var object: Object?

  /// No reference yet.
  init(_ object: Object? = nil) { self.object = object }
}

/// A small object without a probe.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A list with a lock.
final class LockedList<Value: Sendable>: Sendable {
  private let values = Mutex<[Int: Value]>([:])
  var all: [Int: Value] { values.withLock { $0 } }

  func set(_ value: Value?, _ number: Int) {
    // Released outside of the lock: its end takes it off the list.
    let old = values.withLock { values in
      defer { values[number] = value }
      return values[number]
    }
    withExtendedLifetime(old) {}
  }
}

/// Ends a probe before its object.
func dropped(_ probe: consuming Probe) {}

/// What any code can do to spoil a verdict.
enum Sabotage {
  /// Ends the process as if all were well.
  static func leave() { exit(0) }

  /// Says what memlab says, then ends the process.
  static func pretend() {
    print("SOLVED · compare: swift run memlab exercise solution 01")
    exit(0)
  }

  /// Waits for something that never happens, and blocks the thread.
  static func hang() { while true { usleep(1_000) } }
}
