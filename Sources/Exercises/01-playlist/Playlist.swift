// A playlist holds its songs, and each song knows the playlist that it is in. As it stands, neither
// is ever deinitialised. Mend it so that both go when they are dropped, and so that a song that is
// kept for longer says that it is in no playlist any more.

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
  var playlist: Playlist?
  var playlistTitle: String? { playlist?.title }
  private let probe = Probe(Song.self)
}
