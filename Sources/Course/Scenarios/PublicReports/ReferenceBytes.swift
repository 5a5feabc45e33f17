import MemlabKit
import MemlabPlatform

extension Scenario {
  /// `reference-bytes`: the bytes that weak and unowned references cost.
  static let referenceBytes = Scenario(
    id: "reference-bytes", title: "the bytes that weak and unowned cost",
    document: .analyzeHeapMemory, place: "weak and unowned references",
    lesson: "12-it-grows-and-nothing-leaks",
    question: "A photo of 40 MB is dropped while a weak or an unowned reference to it is left. How "
      + "much memory is released?",
    hint: "An unowned reference that is read too late ends the program. How does it know?",
    beliefs: [.variable("A reference that keeps memory is said to keep its object as well.")],
    next: "weak-test",
    endings: [
      Ending(
        "weak", "a weak reference is left",
        expects: photo(keptMB: 0, sideTable: 32),
        explanation: "The memory of the photo is released. What stays until the weak reference "
          + "goes is a side table of 32 bytes, as much as a small object has.",
        claims: [
          Claim(
            "weak costs nothing",
            original: "weak reference storage … about the size of the objects themselves",
            .fails(because: "an object of 32 bytes has a side table of 32 bytes, as the talk says")
          ) { Allocator.isMeasurable ? $0.metric("sideTableBytes") == 0 : false }
        ],
        run: { try play($0) { $0.weakly = $1 } }),
      Ending(
        "unowned", "an unowned reference is left",
        expects: photo(keptMB: 40, sideTable: 0),
        explanation: "The photo's deinit has run, and its 40 MB stay: the block has the count of "
          + "unowned references in it, so it is kept until that count is zero.",
        claims: [
          Claim(
            "unowned costs nothing, and keeps nothing",
            from: .thread(
              "github.com/swiftlang/swift/blob/main/stdlib/public/SwiftShims/swift/shims/RefCount.h",
              "Swift's RefCount.h"),
            .fails(because: "the object is gone, and its 40 MB stay until the reference goes")
          ) { Allocator.isMeasurable ? $0.metric("keptMegabytes") == 0 : false }
        ],
        run: { try play($0) { $0.backward = $1 } }),
      Ending(
        "unsafe", "an unowned(unsafe) reference is left",
        expects: photo(keptMB: 0, sideTable: 0),
        explanation: "This one is an address and no more. It keeps nothing, and reading it now "
          + "would read memory that somebody else may have.",
        run: { try play($0) { $0.unsafely = $1 } }
      )
      .asking("The reference is unowned(unsafe). How much of the 40 MB is released?"),
    ])

  private static func play(
    _ lab: Lab, refer: (ReferenceBytes.Album, ReferenceBytes.Photo) -> Void
  ) throws {
    @Variable("album") var album: ReferenceBytes.Album? = ReferenceBytes.Album()
    @Variable("photo") var photo: ReferenceBytes.Photo?
    try lab.step("a photo of 40 MB is taken, and an album refers to it") {
      let taken = ReferenceBytes.Photo.taken(megabytes: 40)
      album.map { refer($0, taken) }
      photo = taken
    }
    let sizes: KeyValuePairs<Metric, Int> = [
      "objectBytes": photo.map { Allocator.size(of: $0.header) } ?? 0,
      "sideTableBytes": photo.map(Allocator.sideTableSize) ?? 0,
    ]
    let place = photo.map { Unmanaged.passUnretained($0).toOpaque() }
    var kept = 0
    try lab.release("the photo is dropped") {
      photo = nil
      kept = place.map { Allocator.mappedMegabytes(of: 40, at: $0) } ?? 0
    }
    if Allocator.isMeasurable {
      lab.ledger.setMetrics(sizes)
      lab.ledger.setMetric("keptMegabytes", kept)
    }
    try lab.release("the album is dropped") { album = nil }
  }

  /// The counts of one photo, whose header is deinitialised with it.
  ///
  /// - Parameters:
  ///   - keptMB: how many of its megabytes were not given back to the kernel when it was deinitialised.
  ///   - sideTable: the size of its side table, in bytes; 0 where it has none.
  private static func photo(keptMB: Int, sideTable: Int) -> Declaration {
    .one(
      .clean, ["Header": nil],
      metrics: Allocator.isMeasurable
        ? ["keptMegabytes": keptMB, "objectBytes": 32, "sideTableBytes": sideTable] : [:])
  }
}

/// A photo in one block, and the three references to it that do not keep it alive.
enum ReferenceBytes {
  // snippet:code
  final class Header {
    private let probe = Probe(Header.self)
  }

  final class Photo: ManagedBuffer<Header, UInt8> {
    static func taken(megabytes: Int) -> Photo {
      let made = Photo.create(minimumCapacity: megabytes << 20) { _ in Header() }
      return unsafeDowncast(made, to: Photo.self)
    }
  }

  final class Album {
    weak var weakly: Photo?
    unowned var backward: Photo?
    unowned(unsafe) var unsafely: Photo?
  }
  // snippet:end
}
