internal import HeapGraph

/// An object that must be gone in the end.
struct WatchedObject: @unchecked Sendable {
  /// The name of its class, with the module.
  let type: String
  /// Where it was handed over.
  let place: CodePlace
  /// Whether the body has returned it, and nobody has named it.
  let isReturned: Bool
  private weak var object: AnyObject?
  /// Where it is, or was.
  let address: UInt

  /// Watches an object without keeping it.
  init(_ object: AnyObject, at place: CodePlace, isReturned: Bool) {
    self.object = object
    self.place = place
    self.isReturned = isReturned
    type = TypeName.qualified(Swift.type(of: object))
    address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
  }

  /// Whether it has not been deinitialised.
  var isAlive: Bool { object != nil }

  /// Why it is alive; nil when it is gone or not on the recorded heap.
  func path(in snapshot: HeapSnapshot) -> RetainPath? { object.flatMap(snapshot.retainPath) }
}

/// A place in somebody's source.
package struct CodePlace: Sendable {
  /// `Module/File.swift`.
  package var fileID: String
  /// The whole path.
  package var filePath: String
  /// The line, from 1.
  package var line: Int
  /// The column, from 1.
  package var column: Int

  /// A place, as the compiler's literals have it.
  package init(fileID: String, filePath: String, line: Int, column: Int) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }

  /// `File.swift:12`.
  var short: String { "\(fileID.split(separator: "/").last ?? ""):\(line)" }
}
