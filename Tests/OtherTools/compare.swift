// Shows the same leaks to LeakSanitizer, to valgrind and to memlab, and says what each has seen.
//
//   swift Tests/OtherTools/compare.swift [--record]
//
// Fails when the table in Documentation/BesideOtherTools.md says otherwise; with --record, rewrites
// it. Needs a memlab that has been built in debug. Without valgrind, its columns are taken from that
// page.

import Foundation

let path = "Documentation/BesideOtherTools.md"
let page = URL(filePath: path)
let begin = "<!-- compared by 'make lsan-compare' -->\n"
let end = "<!-- compared: end -->\n"
let runs = 5

/// A program of `Leaks.swift` beside the scenario that it is taken from.
typealias Row = (pattern: String, ending: String)

let rows: [Row] = [
  (pattern: "retain-cycle", ending: "drop"), (pattern: "sink-strong-self", ending: "drop"),
  (pattern: "strong-self", ending: "drop"),
  (pattern: "abandoned-continuation", ending: "cancel"),
]

struct Complaint: Error, CustomStringConvertible { let description: String }

func output(of command: [String]) throws -> (code: Int32, text: String) {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = command
  let pipe = Pipe()
  (process.standardOutput, process.standardError) = (pipe, pipe)
  try process.run()
  let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationStatus, text)
}

func compile(_ name: String, _ options: [String], in folder: URL) throws -> String {
  let program = folder.appending(path: name).path
  // Not optimised: the optimiser takes a cycle away that nobody uses.
  let command = ["swiftc", "-Onone", "-g", "-parse-as-library"] + options
  let (code, text) = try output(of: command + ["Tests/OtherTools/Leaks.swift", "-o", program])
  guard code == 0 else { throw Complaint(description: "\(name) does not compile:\n\(text)") }
  return program
}

/// The sum of the numbers that a pattern finds in a text.
func sum(of pattern: String, in text: String) throws -> Int {
  let expression = try NSRegularExpression(pattern: pattern)
  let matches = expression.matches(in: text, range: NSRange(text.startIndex..., in: text))
  return matches.reduce(0) { sum, match in
    let digits = Range(match.range(at: 1), in: text).map { text[$0].filter(\.isNumber) }
    return sum + (digits.flatMap { Int($0) } ?? 0)
  }
}

/// What a tool reports, in blocks: of some runs the first that reports any, for what a call has left on the
/// stack of a thread of the pool may look like a reference, now and then.
func blocks(
  _ command: [String], _ row: Row, _ source: String, finding pattern: String
) throws -> Int {
  for _ in 0..<runs {
    let (code, text) = try output(of: command + [row.pattern, source])
    // Neither tool has an end of its own other than these.
    guard code <= 1, !text.contains("INTERNAL ERROR") else {
      throw Complaint(description: "\(command[0]), \(row.pattern) \(source): \(text.suffix(2_000))")
    }
    let sum = try sum(of: pattern, in: text)
    if sum > 0 { return sum }
  }
  return 0
}

func cell(_ blocks: Int) -> String {
  blocks == 0 ? "nothing" : "\(blocks) \(blocks == 1 ? "block" : "blocks")"
}

func cells(of tool: [String], _ row: Row, finding pattern: String) throws -> [String] {
  try ["dropped", "kept"].map { source in cell(try blocks(tool, row, source, finding: pattern)) }
}

/// What memlab says: what stays alive, and what holds the first of it.
func memlab(_ row: Row) throws -> String {
  let command = [".build/debug/memlab", row.pattern, "--ending", row.ending, "--format", "json"]
  let text = try output(of: command).text
  let report = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  guard let trial = (report?["trials"] as? [[String: Any]])?.first,
    let heap = trial["heap"] as? [String: Any], let paths = heap["paths"] as? [[String: Any]],
    let path = paths.first, let type = path["type"] as? String, let by = path["heldBy"] as? String
  else { throw Complaint(description: "memlab \(row.pattern) does not say who holds what") }
  let objects = (heap["alive"] as? [String: Int] ?? [:]).values.reduce(0, +)
  let tasks = trial["liveTasks"] as? Int ?? 0
  let counts = [(objects, "object"), (tasks, "task")].filter { $0.0 > 0 }.map {
    "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")"
  }
  return "\(counts.joined(separator: " and ")); `\(type)` is held by `\(by)`"
}

func line(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

/// The valgrind columns of the page, for machines without valgrind.
func kept(in table: Substring, _ row: Row) -> [String] {
  let old = table.split(separator: "\n").first { $0.hasPrefix("| `\(row.pattern)`") }
  let cells = old?.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) } ?? []
  return cells.count > 4 ? Array(cells[3...4]) : ["not seen", "not seen"]
}

func table(beside old: Substring, in folder: URL) throws -> String {
  let sanitized = try compile("sanitized", ["-sanitize=address"], in: folder)
  let plain = try compile("plain", [], in: folder)
  let hasValgrind = try output(of: ["valgrind", "--version"]).code == 0
  if !hasValgrind { print("There is no valgrind here: its columns are taken from that page.") }
  var text = line([
    "pattern", "LeakSanitizer, source dropped", "source kept", "valgrind, source dropped",
    "source kept", "memlab",
  ])
  text += line(Array(repeating: "---", count: 6))
  for row in rows {
    let valgrind =
      try hasValgrind
      ? cells(
        of: ["valgrind", "--leak-check=full", plain], row,
        finding: #"(?:definitely|indirectly) lost: \S+ bytes in (\S+) blocks"#) : kept(in: old, row)
    let sanitizer = try cells(of: [sanitized], row, finding: #"leak of .* in (\d+) object"#)
    text += line(["`\(row.pattern)`"] + sanitizer + valgrind + [try memlab(row)])
  }
  return text
}

func compare() throws -> Bool {
  let text = try String(contentsOf: page, encoding: .utf8)
  guard let first = text.range(of: begin), let last = text.range(of: end) else {
    throw Complaint(description: "\(path) has no place for the table: \(begin)")
  }
  let folder = FileManager.default.temporaryDirectory.appending(path: "leaks-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let place = first.upperBound..<last.lowerBound
  let table = try table(beside: text[place], in: folder)
  print(table, terminator: "")
  if table == text[place] { return true }
  guard CommandLine.arguments.contains("--record") else { return false }
  try text.replacingCharacters(in: place, with: table)
    .write(to: page, atomically: true, encoding: .utf8)
  return true
}

do {
  guard try compare() else {
    let remedy = "swift Tests/OtherTools/compare.swift --record"
    print("Error: the table in \(path) differs. If it should, run '\(remedy)'.")
    exit(1)
  }
} catch {
  print("Error: \(error)")
  exit(1)
}
