// Breaks memlab on purpose, one line at a time, and looks whether anything notices.
//
//   swift Tests/Mutants/mutants.swift [--list] [part of a name…]
//
// Works on a clone of the last commit, so that the checkout is never touched. Every killer must pass
// before anything is broken. Then each mutant of mutants.txt is put in, built, and has to be killed
// by its killer. A mutant that no longer applies, or does not build, is an error. --list only looks
// whether the mutants apply. MEMLAB_BUILD_PREFIX is put before each build: 'nice', for instance.

import Foundation

struct Mutant {
  var name = ""
  var file = ""
  var old: [String] = []
  var new: [String] = []
  var killer = ""

  func applied(to text: String) throws -> String {
    let lines = old.joined(separator: "\n") + "\n"
    let places = ("\n" + text).components(separatedBy: "\n" + lines).count - 1
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
let patience = 300

func shell(_ command: String, in folder: URL) throws -> (code: Int32, output: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/bin/sh")
  process.arguments = ["-c", command]
  process.currentDirectoryURL = folder
  let pipe = Pipe()
  process.standardOutput = pipe
  process.standardError = pipe
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

/// Whether what was built is as it should be, as far as a killer can see.
func passes(_ killer: String, in folder: URL) throws -> Bool {
  let limit = "timeout \(patience)"
  if killer.hasPrefix("swift test --filter ") {
    let filter = killer.dropFirst("swift test --filter ".count)
    let command = "\(limit) swift test --skip-build --filter '\(filter)'"
    let (code, output) = try shell(command, in: folder)
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
  defer { try? text.write(to: file, atomically: true, encoding: .utf8) }
  try mutant.applied(to: text).write(to: file, atomically: true, encoding: .utf8)
  try build(for: mutant.killer, in: folder)
  return try !passes(mutant.killer, in: folder)
}

/// Says of each mutant what becomes of it.
///
/// - Returns: The number of those that have not been killed.
func tryOut(_ mutants: [Mutant], in clone: URL) throws -> Int {
  try build(for: "swift test", in: clone)
  for killer in Set(mutants.map(\.killer)).sorted() where try !passes(killer, in: clone) {
    throw Complaint("before anything is broken, this fails: \(killer)")
  }
  var survivors = 0
  for mutant in mutants {
    var verdict = "killed    "
    do {
      if try !isKilled(mutant, in: clone) { verdict = "SURVIVES  " }
    } catch {
      verdict = "NO MUTANT (\(error))  "
    }
    survivors += verdict.hasPrefix("killed") ? 0 : 1
    print(verdict + mutant.name)
    fflush(stdout)
  }
  return survivors
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

func main() throws -> Bool {
  let here = URL(filePath: FileManager.default.currentDirectoryPath)
  let list = here.appending(path: "Tests/Mutants/mutants.txt")
  let words = CommandLine.arguments.dropFirst().filter { $0 != "--list" }
  let chosen = try mutants(in: String(contentsOf: list, encoding: .utf8)).filter { mutant in
    words.isEmpty || words.contains { mutant.name.contains($0) }
  }
  var left = check(chosen, in: here)
  if left == 0, !CommandLine.arguments.contains("--list") {
    let clone = FileManager.default.temporaryDirectory.appending(path: "mutants-\(UUID())")
    defer { try? FileManager.default.removeItem(at: clone) }
    let (code, output) = try shell("git clone -q . '\(clone.path)'", in: here)
    guard code == 0 else { throw Complaint(output) }
    left = try tryOut(chosen, in: clone)
  }
  print("\(chosen.count) mutants, \(left) left")
  return left == 0 && !chosen.isEmpty
}

do {
  exit(try main() ? 0 : 1)
} catch {
  print("Error: \(error)")
  exit(1)
}
