// Each view has a thumbnail, which is made once and kept in a table. The table lives as long as the
// app, and at the moment every thumbnail does too. Fix it so that a thumbnail is deinitialised with
// its view. (`Patterns` has a table for this; a view is a `WeakMapKey` already.)

import MemlabKit
import MemlabPatterns

/// The table of thumbnails.
final class Thumbnails: ThumbnailsUnderStudy {
  private var table: [ObjectIdentifier: Thumbnail] = [:]

  /// The view's thumbnail, made on first use.
  func thumbnail(for view: View) -> Thumbnail {
    if let thumbnail = table[ObjectIdentifier(view)] { return thumbnail }
    let thumbnail = Thumbnail()
    table[ObjectIdentifier(view)] = thumbnail
    return thumbnail
  }
}
