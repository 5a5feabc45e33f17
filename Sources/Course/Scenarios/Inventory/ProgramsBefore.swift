import MemlabKit

extension Lamps {
  /// A program of those before the course.
  func before(_ number: Int) throws {
    switch number {
    case 1:
      // snippet:before-1
      a?.other = b
      b?.other = c
      try pause()
      a = nil
      c = nil
    // snippet:end

    case 2:
      // snippet:before-2
      a?.other = b
      b?.other = a
      c?.other = a
      try pause()
      (a, b, c) = (nil, nil, nil)
    // snippet:end

    case 3:
      // snippet:before-3
      a?.other = b
      b?.room = a
      c?.room = b
      try pause()
      a = nil
    // snippet:end

    case 4:
      // snippet:before-4
      a?.onClick = { [lamp = a] in lamp?.glow() }
      b?.onClick = { [weak lamp = b] in lamp?.glow() }
      try pause()
      (a, b, c) = (nil, nil, nil)
    // snippet:end

    case 5:
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

    case 6:
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

    case 7:
      // snippet:before-7
      a?.work = Task(probe: "one") { [lamp = a] in
        for await _ in news() { lamp?.glow() }
      }
      try pause()
      (a, b) = (nil, nil)
    // snippet:end

    case 8:
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

    case 9:
      // snippet:before-9
      onNews { [lamp = a] in lamp?.glow() }
      onNews { [weak lamp = b] in lamp?.glow() }
      try pause()
      (a, b) = (nil, nil)
    // snippet:end

    case 10:
      // snippet:before-10
      Task(probe: "one") { [weak lamp = a] in
        guard let lamp else { return }
        for await _ in news() { lamp.glow() }
      }
      try pause()
      (a, c) = (nil, nil)
    // snippet:end

    case 11:
      // snippet:before-11
      a?.onClick = { [weak lamp = a, friend = b] in
        lamp?.glow()
        friend?.glow()
      }
      b?.other = a
      try pause()
      (a, b, c) = (nil, nil, nil)
    // snippet:end

    case 12:
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

    default: preconditionFailure("there are twelve programs")
    }
  }
}
