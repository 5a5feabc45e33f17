package import Foundation
import Testing

/// The compiler for C that comes with Swift.
package enum Clang {
  /// Runs it. A distribution may have put it beside the Swift compiler, out of the way.
  package static func run(_ arguments: [String]) throws -> ProgramResult {
    let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/libexec/swift/bin"
    return try Program(URL(filePath: "/usr/bin/env")).run(["PATH=\(path)", "clang"] + arguments)
  }

  /// Makes a library of a file of C, with debug information as Swift's, and returns its path.
  package static func library(of source: URL, at place: URL) throws -> String {
    let flags = ["-shared", "-fPIC", "-O1", "-gdwarf-4", "-Wall"]
    try run(flags + ["-o", place.path, source.path]).exits(0)
    return place.path
  }

  /// A library that gives a program to which it is preloaded the lists of tasks that later runtimes
  /// keep. It stands for a part of the library that runs tasks, and so is named like it.
  ///
  /// - Parameter folder: where it is made.
  package static func listedTasks(in folder: URL) throws -> String {
    try library(
      of: Repository.url("Tests/Fixtures/ListedTasks/listed_tasks.c"),
      at: folder.appending(path: "libswift_ConcurrencyLists.so"))
  }
}
