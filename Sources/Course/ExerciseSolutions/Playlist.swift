// A playlist holds its songs. A song refers to its playlist, but does not hold it. It may outlive
// its playlist, so the reference is weak and not unowned.

import MemlabExercises
import MemlabKit

/// The playlist.
final class Playlist: PlaylistUnderStudy {
  /// Its title.
  let title: String
  private var songs: [Song] = []
  private let probe = Probe(Playlist.self)

  /// An empty playlist.
  init(title: String) { self.title = title }

  /// Appends a song.
  func add(_ song: Song) {
    songs.append(song)
    song.playlist = self
  }
}

/// A song.
final class Song: SongUnderStudy {
  /// The playlist that it is in.
  weak var playlist: Playlist?
  /// The title of that playlist; nil if it is in none.
  var playlistTitle: String? { playlist?.title }
  private let probe = Probe(Song.self)
}
