// Each view's thumbnail is kept in a table that releases its values with their keys. The table
// identifies a view by a serial number, because an address can be used twice.

import MemlabExercises
import MemlabKit
import MemlabPatterns

/// The table of thumbnails.
final class Thumbnails: ThumbnailsUnderStudy {
  private let table = WeakMapTable<Thumbnail>()

  /// The view's thumbnail, made on first use.
  func thumbnail(for view: View) -> Thumbnail {
    table.value(forKey: view, default: Thumbnail())
  }
}
