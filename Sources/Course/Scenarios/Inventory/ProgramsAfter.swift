import MemlabKit

extension Lamps {
  /// A program of those after the course: it asks what the program of the same number before it does.
  func after(_ number: Int) throws {
    switch number {
    case 1:
      // snippet:after-1
      c?.other = b
      b?.other = a
      try pause()
      c = nil
      a = nil
    // snippet:end

    case 2:
      // snippet:after-2
      a?.other = c
      b?.other = c
      c?.other = b
      try pause()
      (a, b, c) = (nil, nil, nil)
    // snippet:end

    case 3:
      // snippet:after-3
      b?.other = c
      c?.room = b
      a?.room = c
      try pause()
      b = nil
    // snippet:end

    case 4:
      // snippet:after-4
      b?.onClick = { [weak lamp = b] in lamp?.glow() }
      c?.onClick = { [lamp = c] in lamp?.glow() }
      try pause()
      (a, b, c) = (nil, nil, nil)
    // snippet:end

    case 5:
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

    case 6:
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

    case 7:
      // snippet:after-7
      c?.work = Task(probe: "one") { [lamp = c] in
        await answer()
        lamp?.glow()
      }
      try pause()
      (a, c) = (nil, nil)
    // snippet:end

    case 8:
      // snippet:after-8
      Task(probe: "one") { [lamp = a, weak friend = c] in
        await answer()
        lamp?.glow()
        friend?.glow()
      }
      try pause()
      (a, c) = (nil, nil)
    // snippet:end

    case 9:
      // snippet:after-9
      onNews { [weak lamp = a] in lamp?.glow() }
      onNews { [lamp = c] in lamp?.glow() }
      try pause()
      (a, c) = (nil, nil)
    // snippet:end

    case 10:
      // snippet:after-10
      Task(probe: "one") { [weak lamp = c] in
        guard let lamp else { return }
        await answer()
        lamp.glow()
      }
      try pause()
      (b, c) = (nil, nil)
    // snippet:end

    case 11:
      // snippet:after-11
      c?.other = a
      a?.onClick = { [lamp = c, weak friend = a] in
        lamp?.glow()
        friend?.glow()
      }
      try pause()
      (a, b, c) = (nil, nil, nil)
    // snippet:end

    case 12:
      // snippet:after-12
      c?.other = b
      let one = Task(probe: "one") { [lamp = b] in
        for await _ in news() { lamp?.glow() }
      }
      try pause()
      one.cancel()
      (b, c) = (nil, nil)
    // snippet:end

    default: preconditionFailure("there are twelve programs")
    }
  }
}
