// Breaks memlab on purpose, one thing at a time, and checks that a test notices.
//
//   swift Tests/Mutants/mutants.swift [option…] [part of a name…]
//
//   --list             only check that the mutants apply
//   --touched COMMIT   only the mutants in files that changed since this commit, and those that
//                      were added to mutants.txt or changed there
//   --rotate N         N others as well; which ones depends on the hash of the last commit
//   --most N           no more than N of them
//   --part I/N         only each Nth, from the Ith
//   --minutes N        begin no further mutant after so many minutes
//   --here             work on this checkout, which has been built, and put each file back; end it with
//                      Ctrl-C, and the last one stays broken: git restore . What was built has the
//                      last mutant until the next build.
//
// Works on a clone of the last commit in .build/mutants, which is kept: the next run builds only what
// has changed. Without --here, the checkout is never touched. Every killer must pass before anything
// is broken. Then each mutant of mutants.txt is put in, built, and has to be killed by its killer. A
// mutant that no longer applies, or does not build, is an error. MEMLAB_BUILD_PREFIX is put before
// each build: 'nice', for instance. MutantTests.swift tests which mutants are chosen.

import Foundation

struct Mutant: Equatable {
  var name = ""
  var file = ""
  var old: [String] = []
  var new: [String] = []
  var killer = ""

  func applied(to text: String) throws -> String {
    let lines = old.joined(separator: "\n") + "\n"
    // Each place begins with the end of the line before, which may be the end of another place.
    var (places, rest) = (0, ("\n" + text)[...])
    while let place = rest.range(of: "\n" + lines) {
      places += 1
      rest = rest[place.lowerBound...].dropFirst()
    }
    guard places == 1 else { throw Complaint("stands \(places) times in \(file): \(lines)") }
    return String(
      ("\n" + text).replacingOccurrences(
        of: "\n" + lines, with: "\n" + new.joined(separator: "\n") + "\n"
      ).dropFirst())
  }
}

struct Complaint: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

func mutants(in text: String) -> [Mutant] {
  var mutants: [Mutant] = []
  for line in text.components(separatedBy: "\n") {
    if line.hasPrefix("== ") { mutants.append(Mutant(name: String(line.dropFirst(3)))) }
    guard var mutant = mutants.popLast() else { continue }
    if line.hasPrefix("in ") { mutant.file = String(line.dropFirst(3)) }
    if line.hasPrefix("-"), !line.hasPrefix("-- ") { mutant.old.append(String(line.dropFirst())) }
    if line.hasPrefix("+") { mutant.new.append(String(line.dropFirst())) }
    if line.hasPrefix("killed by ") { mutant.killer = String(line.dropFirst(10)) }
    mutants.append(mutant)
  }
  return mutants
}

/// Ends what takes longer than this: a mutant that hangs has been noticed.
let secondsOfATest = 300

func shell(_ command: String, in folder: URL) throws -> (code: Int32, output: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", command]
  process.currentDirectoryURL = folder
  let pipe = Pipe()
  (process.standardOutput, process.standardError) = (pipe, pipe)
  try process.run()
  let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationStatus, output)
}

/// Builds what a killer needs: everything for a test, the program alone for a run of it.
func build(for killer: String, in folder: URL) throws {
  let prefix = ProcessInfo.processInfo.environment["MEMLAB_BUILD_PREFIX"] ?? ""
  let what = killer.hasPrefix("swift test") ? "--build-tests" : "--product memlab"
  let (code, output) = try shell("\(prefix) swift build \(what)", in: folder)
  let errors = output.components(separatedBy: "\n").filter { $0.contains("error:") }
  guard code == 0 else { throw Complaint("it does not build: \(errors.prefix(3))") }
}

/// Runs the tests that have been built. Without SwiftPM, this takes seconds less.
#if os(Linux)
  let testProgram = ".build/debug/memlabPackageTests.xctest --testing-library swift-testing"
#else
  let testProgram = "swift test --skip-build"
#endif

/// Whether what was built is as it should be, as far as a killer can see.
func passes(_ killer: String, in folder: URL) throws -> Bool {
  // What kills a mutant may be a case that `swift test` leaves to 'make verify'.
  let limit = "MEMLAB_THOROUGH=1 timeout \(secondsOfATest)"
  if killer.hasPrefix("swift test --filter ") {
    let filter = killer.dropFirst("swift test --filter ".count)
    let (code, output) = try shell("\(limit) \(testProgram) --filter '\(filter)'", in: folder)
    // A filter that fits nothing passes, and so kills nothing.
    guard !output.contains("with 0 tests in") else { throw Complaint("no test is \(filter)") }
    return code == 0
  }
  let parts = killer.components(separatedBy: " = ")
  let run = "\(limit) .build/debug/\(parts[0])"
  guard parts.count == 2 else { return try shell(run, in: folder).code == 0 }
  return try shell("\(run) | cmp - Tests/CLITests/Golden/\(parts[1]).txt", in: folder).code == 0
}

func isKilled(_ mutant: Mutant, in folder: URL) throws -> Bool {
  let file = folder.appending(path: mutant.file)
  let text = try String(contentsOf: file, encoding: .utf8)
  defer { try? text.write(to: file, atomically: false, encoding: .utf8) }
  try mutant.applied(to: text).write(to: file, atomically: false, encoding: .utf8)
  try build(for: mutant.killer, in: folder)
  return try !passes(mutant.killer, in: folder)
}

/// Says of each mutant what becomes of it.
///
/// - Parameter end: When to begin no further mutant.
/// - Returns: The number of those that have not been killed, and of those that were not tried.
func tryOut(
  _ mutants: [Mutant], in clone: URL, until end: Date
) throws -> (left: Int, untried: Int) {
  guard !mutants.isEmpty else { return (0, 0) }
  try build(for: "swift test", in: clone)
  for killer in Set(mutants.map(\.killer)).sorted() {
    // Where something else needs the machine, a test of LeakCheck's may see too little the first time.
    guard try passes(killer, in: clone) || passes(killer, in: clone) else {
      throw Complaint("before anything is broken, this fails: \(killer)")
    }
  }
  var survivors = 0
  for (tried, mutant) in mutants.enumerated() {
    if Date.now > end { return (survivors, mutants.count - tried) }
    let start = Date.now
    var verdict = "killed    "
    do {
      if try !isKilled(mutant, in: clone) { verdict = "SURVIVES  " }
    } catch {
      verdict = "NO MUTANT (\(error))  "
    }
    survivors += verdict.hasPrefix("killed") ? 0 : 1
    print(verdict + mutant.name + " (\(Int(Date.now.timeIntervalSince(start))) s)")
    fflush(nil)
  }
  return (survivors, 0)
}

func check(_ mutants: [Mutant], in root: URL) -> Int {
  mutants.count { mutant in
    do {
      _ = try mutant.applied(
        to: String(contentsOf: root.appending(path: mutant.file), encoding: .utf8))
      return false
    } catch {
      print("NO MUTANT (\(error))  \(mutant.name)")
      return true
    }
  }
}

/// What the command line asks for.
struct Request {
  var isList = false
  var isHere = false
  var base: String?
  var rotated = 0
  var most = Int.max
  var part = (first: 1, of: 1)
  var end = Date.distantFuture
  var names: [String] = []

  init(_ words: [String]) throws {
    var words = words[...]
    while let word = words.popFirst() {
      switch word {
      case "--list": isList = true
      case "--here": isHere = true
      case "--touched":
        base = words.popFirst()
        guard base != nil else { throw Complaint("write '--touched main' for what is not in main") }
      case "--rotate":
        guard let number = words.popFirst().flatMap({ Int($0) }), number >= 0 else {
          throw Complaint("write '--rotate 12' for a dozen others")
        }
        rotated = number
      case "--most":
        guard let number = words.popFirst().flatMap({ Int($0) }), number > 0 else {
          throw Complaint("write '--most 12' for a dozen and no more")
        }
        most = number
      case "--part":
        let numbers = words.popFirst()?.split(separator: "/").compactMap { Int($0) } ?? []
        guard numbers.count == 2, numbers[0] > 0, numbers[0] <= numbers[1] else {
          throw Complaint("write '--part 1/3' for the first of three")
        }
        part = (numbers[0], numbers[1])
      case "--minutes":
        guard let minutes = words.popFirst().flatMap({ Double($0) }) else {
          throw Complaint("write '--minutes 10' to begin none after ten minutes")
        }
        end = .now + minutes * 60
      default:
        guard !word.hasPrefix("-") else { throw Complaint("unknown option \(word)") }
        names.append(word)
      }
    }
  }
}

/// What a git command prints.
func git(_ arguments: String, in folder: URL) throws -> String {
  let (code, output) = try shell("git \(arguments)", in: folder)
  guard code == 0 else { throw Complaint("git \(arguments): \(output)") }
  return output
}

/// What a commit has, and what has changed since another.
struct Changes {
  /// The last commit's hash.
  var hash = ""
  /// The paths of the files that changed.
  var files: Set<String> = []
  /// The mutants that there were before.
  var before: [Mutant] = []

  init() {}

  /// Asks git.
  init(since base: String, in root: URL) throws {
    hash = try git("rev-parse HEAD", in: root)
    let changed = try git("diff --name-only '\(base)' HEAD", in: root)
    files = Set(changed.components(separatedBy: "\n"))
    before = mutants(in: (try? git("show '\(base):Tests/Mutants/mutants.txt'", in: root)) ?? "")
  }

  func touch(_ mutant: Mutant) -> Bool { files.contains(mutant.file) || !before.contains(mutant) }
}

/// The mutants that a request means. Touched ones and others take turns, so that both are tried where
/// the time is limited; and the last commit's hash decides which come first, not the clock: the same
/// commit has the same ones again.
func choose(from all: [Mutant], for request: Request, _ changes: Changes?) -> [Mutant] {
  guard let changes else {
    let named = all.filter { mutant in
      request.names.isEmpty || request.names.contains { mutant.name.contains($0) }
    }
    return stride(from: request.part.first - 1, to: named.count, by: request.part.of)
      .map { named[$0] }
  }
  let start = Int(changes.hash.prefix(8), radix: 16) ?? 0
  let touched = rotated(all.filter { changes.touch($0) }, by: start)
  let others = rotated(all.filter { !changes.touch($0) }, by: start).prefix(request.rotated)
  return (0..<max(touched.count, others.count)).flatMap { index in
    [touched, Array(others)].compactMap { index < $0.count ? $0[index] : nil }
  }
}

func rotated(_ mutants: [Mutant], by places: Int) -> [Mutant] {
  guard !mutants.isEmpty else { return [] }
  let start = places % mutants.count
  return Array(mutants[start...] + mutants[..<start])
}

/// The clone, at the last commit of the checkout.
func prepareClone(of root: URL) throws -> URL {
  let clone = root.appending(path: ".build/mutants")
  if !FileManager.default.fileExists(atPath: clone.appending(path: ".git").path) {
    _ = try git("clone -q . '\(clone.path)'", in: root)
  }
  _ = try git("fetch -q '\(root.path)' HEAD", in: clone)
  _ = try git("checkout -qf FETCH_HEAD", in: clone)
  return clone
}

/// Where the mutants are put in.
func place(for request: Request, in root: URL) throws -> URL {
  guard request.isHere else { return try prepareClone(of: root) }
  guard try git("status --porcelain", in: root).isEmpty else {
    throw Complaint("'--here' wants a checkout without changes; commit them, or leave '--here' out")
  }
  return root
}

func main() throws -> Bool {
  let here = URL(filePath: FileManager.default.currentDirectoryPath)
  let list = here.appending(path: "Tests/Mutants/mutants.txt")
  let request = try Request(Array(CommandLine.arguments.dropFirst()))
  let all = try mutants(in: String(contentsOf: list, encoding: .utf8))
  let changes = try request.base.map { try Changes(since: $0, in: here) }
  let chosen = Array(choose(from: all, for: request, changes).prefix(request.most))
  var (left, untried) = (check(chosen, in: here), 0)
  if left == 0, !request.isList {
    (left, untried) = try tryOut(chosen, in: place(for: request, in: here), until: request.end)
  }
  print("\(chosen.count) mutants, \(left) left\(untried > 0 ? ", \(untried) not tried" : "")")
  return left == 0 && (!chosen.isEmpty || request.base != nil)
}

func exitCode() -> Int32 {
  do {
    return try main() ? 0 : 1
  } catch {
    print("Error: \(error)")
    return 1
  }
}

/// The program. A script makes its globals in turn; the tests, which have this file in a module, make
/// those that they ask for, and not this one.
let program: Never = exit(exitCode())
