/// What bare `memlab` prints: what it is, where to begin, what there is.
enum Overview {
  static func write(in session: Session) throws(OutputError) {
    var text = """
      memlab shows what Swift keeps alive, and why. It runs an ownership pattern from
      a published document, ends it in every way that matters, and measures what is
      left.

        memlab strong-self      run one scenario
        memlab check            run all of them and compare with what they declare

      SCENARIOS:

      """
    for line in ScenarioList.lines(of: session.scenarios, width: 80) {
      text += line.plain + "\n"
    }
    // On most screens, this is all that is still to be seen of the beginning.
    text += "\n  Begin with 'memlab strong-self'. See 'memlab --help' for all commands.\n"
    try session.output.write(text)
  }
}
