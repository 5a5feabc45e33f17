// A playlist holds its songs; a song knows the playlist that it is in, and does not hold it. It may
// outlive its playlist, so the way back is weak and not unowned.

import Exercises
import MemlabKit

final class Playlist: PlaylistUnderStudy {
  let title: String
  private var songs: [Song] = []
  private let probe = Probe(Playlist.self)

  init(title: String) { self.title = title }

  func add(_ song: Song) {
    songs.append(song)
    song.playlist = self
  }
}

final class Song: SongUnderStudy {
  weak var playlist: Playlist?
  var playlistTitle: String? { playlist?.title }
  private let probe = Probe(Song.self)
}
