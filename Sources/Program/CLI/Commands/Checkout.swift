/// The folder of memlab's sources.
package enum Checkout {
  /// The one that this program was built from.
  package static let ofThisBuild = (1...5).reduce(URL(filePath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }
}
