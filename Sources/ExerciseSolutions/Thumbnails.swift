// Each view's thumbnail is kept in a table whose values go with their keys. It knows a view by its
// serial number, for an address can be used twice.

import Exercises
import MemlabKit
import Patterns

final class Thumbnails: ThumbnailsUnderStudy {
  private let table = WeakMapTable<Thumbnail>()

  func thumbnail(for view: View) -> Thumbnail {
    table.value(forKey: view, default: Thumbnail())
  }
}
