import CMemlabRecorder
import Glibc
import MemlabHeapModel
import Testing

extension HeapWitness {
  /// While it records, a thread uses small blocks again that it has freed, without asking glibc. Each
  /// test has a process of its own, where it knows which.
  @Suite("A small block that was freed") struct SpareBlockTests {
    @Test("is used again by its thread, and counts as freed until then") func reused() async {
      await #expect(processExitsWith: .success) {
        recorded {
          free(blocks(1)[0])
          let old = blocks(50)
          let before = HeapRecording.live.blocks
          for block in old { free(block) }
          // The program may have made a few others meanwhile.
          #expect(HeapRecording.live.blocks < before - 40)
          #expect(Set(blocks(50)).intersection(old).count > 40)
          #expect(HeapRecording.live.blocks > before - 10)
        }
      }
    }

    @Test("is not used again while frees are held") func held() async {
      await #expect(processExitsWith: .success) {
        try recorded {
          free(blocks(1)[0])
          let old = blocks(10)
          try #require(heap_recorder_hold_frees())
          defer { heap_recorder_release_frees() }
          for block in old { free(block) }
          #expect(Set(blocks(10)).isDisjoint(with: old))
        }
      }
    }

    // The last thread's memory is given to the next one by glibc.
    @Test("goes back to the allocator when its thread ends") func endOfThread() async {
      await #expect(processExitsWith: .success) {
        recorded {
          var (first, second) = (Set<UnsafeMutableRawPointer>(), Set<UnsafeMutableRawPointer>())
          inThread { first = Set(allocateAndFree(10)) }
          inThread { second = Set(allocateAndFree(10)) }
          #expect(first.count == 10)
          #expect(first.intersection(second).count >= 5)
        }
      }
    }

    // What it was when it was noted is not what it is now.
    @Test("has the size that it was given last") func shrunk() async {
      await #expect(processExitsWith: .success) {
        HeapRecording.start()
        free(blocks(1)[0])
        let block = blocks(1, of: 96)[0]
        HeapRecording.stop()
        try #require(realloc(block, 8) == block)
        recorded {
          free(block)
          #expect(!blocks(10, of: 96).contains(block))
        }
      }
    }

    @Test("and is freed once more ends the process, as without recording", arguments: [0, 5])
    func twice(others: Int) async {
      await #expect(processExitsWith: .signal(SIGABRT)) { [others] in
        HeapRecording.start()
        free(blocks(1)[0])
        let all = blocks(others + 1)
        for block in all { free(block) }
        free(all[0])
      }
    }
  }
}

/// Not inlined: the compiler would do without blocks that nobody uses. The array is made at once, and is
/// no small block.
@inline(never) private func blocks(_ count: Int, of size: Int = 48) -> [UnsafeMutableRawPointer] {
  var blocks: [UnsafeMutableRawPointer] = []
  blocks.reserveCapacity(100)
  for _ in 0..<count { blocks.append(Glibc.malloc(size)!) }
  return blocks
}

private func allocateAndFree(_ count: Int) -> [UnsafeMutableRawPointer] {
  let made = blocks(count)
  for block in made { free(block) }
  return made
}

/// Runs a body on a thread of its own, and waits for its end.
private func inThread(_ body: () -> Void) {
  withoutActuallyEscaping(body) { body in
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Body(run: body))
    pthread_create(
      &thread, nil,
      {
        Unmanaged<Body>.fromOpaque($0.unsafelyUnwrapped).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    pthread_join(thread, nil)
  }
}

private final class Body {
  let run: () -> Void
  init(run: @escaping () -> Void) { self.run = run }
}
