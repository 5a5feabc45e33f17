import MemlabKit

extension Lamps {
  /// The programs after the course: each asks what the program of the same number before it does.
  static let after: [@Sendable (Lamps) -> () throws -> Void] = [
    { $0.after1 }, { $0.after2 }, { $0.after3 }, { $0.after4 },
    { $0.after5 }, { $0.after6 }, { $0.after7 }, { $0.after8 },
    { $0.after9 }, { $0.after10 }, { $0.after11 }, { $0.after12 },
  ]

  private func after1() throws {
    // snippet:after-1
    c?.other = b
    b?.other = a
    try pause()
    c = nil
    a = nil
    // snippet:end
  }

  private func after2() throws {
    // snippet:after-2
    a?.other = c
    b?.other = c
    c?.other = b
    try pause()
    (a, b, c) = (nil, nil, nil)
    // snippet:end
  }

  private func after3() throws {
    // snippet:after-3
    b?.other = c
    c?.room = b
    a?.room = c
    try pause()
    b = nil
    // snippet:end
  }

  private func after4() throws {
    // snippet:after-4
    b?.onClick = { [weak lamp = b] in lamp?.glow() }
    c?.onClick = { [lamp = c] in lamp?.glow() }
    try pause()
    (a, b, c) = (nil, nil, nil)
    // snippet:end
  }

  private func after5() throws {
    // snippet:after-5
    Task(probe: "one") { [weak lamp = a] in
      for await _ in news() { lamp?.glow() }
    }
    Task(probe: "two") { [lamp = c] in
      for await _ in news() { lamp?.glow() }
    }
    try pause()
    (a, c) = (nil, nil)
    // snippet:end
  }

  private func after6() throws {
    // snippet:after-6
    let one = Task(probe: "one") { [lamp = b] in
      await answer()
      lamp?.glow()
    }
    let two = Task(probe: "two") { [lamp = c] in
      for await _ in news() { lamp?.glow() }
    }
    try pause()
    two.cancel()
    one.cancel()
    (b, c) = (nil, nil)
    // snippet:end
  }

  private func after7() throws {
    // snippet:after-7
    c?.work = Task(probe: "one") { [lamp = c] in
      await answer()
      lamp?.glow()
    }
    try pause()
    (a, c) = (nil, nil)
    // snippet:end
  }

  private func after8() throws {
    // snippet:after-8
    Task(probe: "one") { [lamp = a, weak friend = c] in
      await answer()
      lamp?.glow()
      friend?.glow()
    }
    try pause()
    (a, c) = (nil, nil)
    // snippet:end
  }

  private func after9() throws {
    // snippet:after-9
    onNews { [weak lamp = a] in lamp?.glow() }
    onNews { [lamp = c] in lamp?.glow() }
    try pause()
    (a, c) = (nil, nil)
    // snippet:end
  }

  private func after10() throws {
    // snippet:after-10
    Task(probe: "one") { [weak lamp = c] in
      guard let lamp else { return }
      await answer()
      lamp.glow()
    }
    try pause()
    (b, c) = (nil, nil)
    // snippet:end
  }

  private func after11() throws {
    // snippet:after-11
    c?.other = a
    a?.onClick = { [lamp = c, weak friend = a] in
      lamp?.glow()
      friend?.glow()
    }
    try pause()
    (a, b, c) = (nil, nil, nil)
    // snippet:end
  }

  private func after12() throws {
    // snippet:after-12
    c?.other = b
    let one = Task(probe: "one") { [lamp = b] in
      for await _ in news() { lamp?.glow() }
    }
    try pause()
    one.cancel()
    (b, c) = (nil, nil)
    // snippet:end
  }
}
