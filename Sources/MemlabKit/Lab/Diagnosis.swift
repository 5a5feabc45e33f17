import HeapGraph

/// One thing that memlab depends on, and how it is here.
package struct Diagnosis: Sendable {
  /// What it is.
  package let name: String
  /// Whether memlab can rely on it; nil where nothing depends on it.
  package let isSound: Bool?
  /// How it is here.
  package let text: String

  /// A diagnosis.
  package init(_ name: String, isSound: Bool? = nil, _ text: String) {
    (self.name, self.isSound, self.text) = (name, isSound, text)
  }

  /// The Swift that memlab was compiled by and the runtime that it runs on.
  package static var runtime: [Diagnosis] {
    [
      Diagnosis("compiled by", "Swift \(compiler), \(configuration)"),
      Diagnosis("core library", RuntimeFacts.coreLibrary ?? "part of the program"),
      Diagnosis(
        "task layout", isSound: RuntimeFacts.isTaskLayoutKnown,
        RuntimeFacts.taskLayout ?? "the concurrency library does not export it"),
      Diagnosis(
        "heap recorder", isSound: HeapRecording.isAvailable,
        HeapRecording.obstacle.map { "cannot record: \($0)" } ?? "records"),
    ]
  }

  private static var compiler: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3.2)
      "6.3, later than 6.3.1"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #else
      "6.3"
    #endif
  }

  private static var configuration: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }
}
