package import MemlabHeapModel
package import MemlabTerminalText

/// A dump in a file.
package struct SnapshotFile {
  /// The file's path.
  package let path: String

  /// The file of this name; the ending is added where it is missing.
  package init(named name: String, ending: String = "memlab") {
    path = name.hasSuffix("." + ending) ? name : "\(name).\(ending)"
  }

  /// Reads it.
  ///
  /// - Throws: ``WatchError/unfit(_:)`` when it is not there, or no snapshot.
  package func read() throws(WatchError) -> HeapDump {
    guard let data = try? Data(contentsOf: URL(filePath: path)) else {
      throw .unfit(
        "The file \(quotedPath(path)) cannot be read. 'memlab snapshot PID NAME' writes one.")
    }
    do {
      return try HeapDump(bytes: Array(data))
    } catch {
      throw .unfit("The file \(quotedPath(path)) cannot be used: \(error).")
    }
  }

  /// Writes bytes to it, all or none.
  package func write(_ bytes: some Collection<UInt8>) throws(OutputError) {
    try WholeFile(path).write(bytes: ContiguousArray(bytes))
  }
}
