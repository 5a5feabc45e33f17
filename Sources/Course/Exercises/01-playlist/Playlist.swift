// A playlist holds its songs, and each song holds its playlist. At the moment, neither is ever
// deinitialised. Fix it so that both are deinitialised when they are dropped, and so that a song
// that is kept longer says that it is in no playlist any more.

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
  var playlist: Playlist?
  /// The title of that playlist; nil if it is in none.
  var playlistTitle: String? { playlist?.title }
  private let probe = Probe(Song.self)
}
