#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#endif

/// How many values a second of processor time brings to 1, 10 and 1,000 consumers.
@main enum Main {
  private static let consumers = [1, 10, 1000]

  static func main() async {
    do {
      try await run(lapTime: lapTime())
    } catch {
      let sentence = "Error: \(error)\n"
      _ = sentence.withCString { write(STDERR_FILENO, $0, sentence.utf8.count) }
      exit(error is UnknownArgument ? 64 : 1)
    }
  }

  private static func run(lapTime: Duration) async throws {
    print(RateTable.head(consumers))
    var reference: [Double] = []
    for contestant in Contestant.all {
      var rates: [Double] = []
      for consumers in consumers {
        let measurement = Measurement(of: contestant, consumers: consumers, lapTime: lapTime)
        rates.append(try await measurement.rate())
      }
      if reference.isEmpty { reference = rates }
      print(RateTable.line(contestant.name, rates, reference: reference))
    }
  }

  /// `--quick` is for seeing that everything arrives; its figures are not worth comparing.
  private static func lapTime() throws(UnknownArgument) -> Duration {
    let arguments = CommandLine.arguments.dropFirst()
    if let unknown = arguments.first(where: { $0 != "--quick" }) {
      throw UnknownArgument(word: unknown)
    }
    return arguments.isEmpty ? .milliseconds(200) : .milliseconds(1)
  }
}

/// A word that is not understood.
private struct UnknownArgument: Error, CustomStringConvertible {
  let word: String

  var description: String { "'\(word)' is not understood; the only option is '--quick'" }
}
