// Each view has a thumbnail, which is made once and kept in a table. The table lives as long as the
// app; as it stands, so does every thumbnail. Mend it so that a thumbnail goes with its view.
// (`Patterns` has a table for this; a view is a `WeakMapKey` already.)

import MemlabKit
import Patterns

final class Thumbnails: ThumbnailsUnderStudy {
  private var table: [ObjectIdentifier: Thumbnail] = [:]

  func thumbnail(for view: View) -> Thumbnail {
    if let thumbnail = table[ObjectIdentifier(view)] { return thumbnail }
    let thumbnail = Thumbnail()
    table[ObjectIdentifier(view)] = thumbnail
    return thumbnail
  }
}
