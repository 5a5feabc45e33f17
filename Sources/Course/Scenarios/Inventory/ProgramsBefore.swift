import MemlabKit

extension Lamps {
  /// The programs before the course.
  static let before: [@Sendable (Lamps) -> () throws -> Void] = [
    { $0.before1 }, { $0.before2 }, { $0.before3 }, { $0.before4 },
    { $0.before5 }, { $0.before6 }, { $0.before7 }, { $0.before8 },
    { $0.before9 }, { $0.before10 }, { $0.before11 }, { $0.before12 },
  ]

  private func before1() throws {
    // snippet:before-1
    a?.other = b
    b?.other = c
    try pause()
    a = nil
    c = nil
    // snippet:end
  }

  private func before2() throws {
    // snippet:before-2
    a?.other = b
    b?.other = a
    c?.other = a
    try pause()
    (a, b, c) = (nil, nil, nil)
    // snippet:end
  }

  private func before3() throws {
    // snippet:before-3
    a?.other = b
    b?.room = a
    c?.room = b
    try pause()
    a = nil
    // snippet:end
  }

  private func before4() throws {
    // snippet:before-4
    a?.onClick = { [lamp = a] in lamp?.glow() }
    b?.onClick = { [weak lamp = b] in lamp?.glow() }
    try pause()
    (a, b, c) = (nil, nil, nil)
    // snippet:end
  }

  private func before5() throws {
    // snippet:before-5
    Task(probe: "one") { [lamp = a] in
      await answer()
      lamp?.glow()
    }
    Task(probe: "two") { [weak lamp = b] in
      await answer()
      lamp?.glow()
    }
    try pause()
    (a, b) = (nil, nil)
    // snippet:end
  }

  private func before6() throws {
    // snippet:before-6
    let one = Task(probe: "one") { [lamp = a] in
      for await _ in news() { lamp?.glow() }
    }
    let two = Task(probe: "two") { [lamp = b] in
      await answer()
      lamp?.glow()
    }
    try pause()
    (a, b) = (nil, nil)
    one.cancel()
    two.cancel()
    // snippet:end
  }

  private func before7() throws {
    // snippet:before-7
    a?.work = Task(probe: "one") { [lamp = a] in
      for await _ in news() { lamp?.glow() }
    }
    try pause()
    (a, b) = (nil, nil)
    // snippet:end
  }

  private func before8() throws {
    // snippet:before-8
    Task(probe: "one") { [weak lamp = a, friend = b] in
      for await _ in news() {
        lamp?.glow()
        friend?.glow()
      }
    }
    try pause()
    (a, b) = (nil, nil)
    // snippet:end
  }

  private func before9() throws {
    // snippet:before-9
    onNews { [lamp = a] in lamp?.glow() }
    onNews { [weak lamp = b] in lamp?.glow() }
    try pause()
    (a, b) = (nil, nil)
    // snippet:end
  }

  private func before10() throws {
    // snippet:before-10
    Task(probe: "one") { [weak lamp = a] in
      guard let lamp else { return }
      for await _ in news() { lamp.glow() }
    }
    try pause()
    (a, c) = (nil, nil)
    // snippet:end
  }

  private func before11() throws {
    // snippet:before-11
    a?.onClick = { [weak lamp = a, friend = b] in
      lamp?.glow()
      friend?.glow()
    }
    b?.other = a
    try pause()
    (a, b, c) = (nil, nil, nil)
    // snippet:end
  }

  private func before12() throws {
    // snippet:before-12
    let one = Task(probe: "one") { [lamp = a] in
      for await _ in news() { lamp?.glow() }
    }
    b?.other = a
    try pause()
    a = nil
    b = nil
    one.cancel()
    // snippet:end
  }
}
