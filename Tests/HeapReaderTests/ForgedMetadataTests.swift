import CMemlabProcess
import Glibc
import MemlabHeapModel
import MemlabHeapReader
import Testing

extension HeapWitness {
  /// A block's first word is anything: a link in somebody's list, a place that has been freed.
  @Suite("What looks like a class and is not one") struct ForgedMetadataTests {
    /// Where something lies that could be a class's descriptor.
    enum Place: CaseIterable {
      case heap, variable, constant

      /// The kind of a class, and what leads nowhere.
      fileprivate var descriptor: UnsafeRawPointer {
        switch self {
        case .heap:
          let words = UnsafeMutablePointer<UInt32>.allocate(capacity: 16)
          words.initialize(repeating: 0x700_0000, count: 16)
          words.pointee = 16
          return UnsafeRawPointer(words)
        case .variable: return withUnsafePointer(to: &forgedDescriptor) { UnsafeRawPointer($0) }
        case .constant:
          let text: StaticString = "\u{10}\0\0\0pppppppppppppppppppppppppppppppppppppppppppppppp"
          return UnsafeRawPointer(text.utf8Start)
        }
      }
    }

    @Test("is no instance") func forged() async {
      // In a process of its own: where the forgery is believed, the runtime follows it and crashes.
      await #expect(processExitsWith: .success) {
        for place in Place.allCases {
          let metadata = Self.metadata(with: place.descriptor)
          let snapshot = try recorded {
            let block = UnsafeMutablePointer<UInt>.allocate(capacity: 8)
            block.initialize(repeating: 3, count: 8)
            block.pointee = metadata
            return try HeapSnapshot.take()
          }
          try #require(snapshot.blocksByKind[.instance] == nil, "\(place)")
        }
      }
    }

    /// The address of memory with the marks of class metadata: code in front, the kind of a class,
    /// and the size of its instances.
    private static func metadata(with descriptor: UnsafeRawPointer) -> UInt {
      let words = UnsafeMutablePointer<UInt>.allocate(capacity: 16)
      words.initialize(repeating: 0, count: 16)
      words[0] = UInt(bitPattern: loaded_symbol("swift_retain"))
      words[2 + 3] = 32
      words[2 + 5] = UInt(bitPattern: descriptor)
      return UInt(bitPattern: words + 2)
    }
  }
}

nonisolated(unsafe) private var forgedDescriptor: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) =
  (0x700_0000_0000_0010, 0x700_0000_0700_0000, 0x700_0000_0700_0000, 0, 0, 0)
