package import MemlabKit

/// What the judge needs of a song.
package protocol SongUnderStudy: AnyObject {
  /// The title of the playlist that it is in; nil if it is in none.
  var playlistTitle: String? { get }
  /// A song in no playlist.
  init()
}

/// What the judge needs of a playlist.
package protocol PlaylistUnderStudy: AnyObject, SendableMetatype {
  /// The songs in it.
  associatedtype Track: SongUnderStudy
  /// An empty playlist.
  init(title: String)
  /// Appends a song.
  func add(_ song: Track)
}

/// Exercise 01: a playlist and its songs.
package enum PlaylistJudge<Playlist: PlaylistUnderStudy>: Judge {
  /// The endings of the exercise.
  package static var endings: [Ending] {
    Ending("drop", ["Playlist": 2, "Song": 5], figures: ["named": 4, "kept": 5], run: drop)
    Ending(
      "kept", ["Playlist": 1, "Song": 1], figures: ["titleBefore": 1, "titleAfter": 0], run: keep)
    Ending(
      "moved", ["Playlist": 2, "Song": 1], figures: ["newTitle": 1, "titleAfter": 0],
      run: { try move($0, titles: Secret.words(2)) })
    // A song that only knows a title does not know which of two playlists it is in.
    Ending(
      "namesakes", ["Playlist": 2, "Song": 1], figures: ["newTitle": 1, "titleAfter": 0],
      run: { try move($0, titles: Array(repeating: Secret.word(), count: 2)) })
  }

  @Sendable private static func drop(_ lab: Lab) throws {
    let titles = Secret.words(2)
    var (playlists, songs): ([Playlist], [Playlist.Track]) = ([], [])
    try lab.step("two playlists get five songs") {
      playlists = titles.map { Playlist(title: $0) }
      songs = (0..<5).map { _ in Playlist.Track() }
      for (place, song) in songs.enumerated() { playlists[place % 2].add(song) }
    }
    // The last is not asked: what a question releases is not released without it.
    let named = songs.indices.dropLast().count { place in
      // Twice: what a song says once, it must be able to say again.
      (0..<2).allSatisfy { _ in songs[place].playlistTitle == titles[place % 2] }
    }
    lab.ledger.setMetric("named", named)
    try lab.step("the songs' variables are dropped") { songs = [] }
    lab.ledger.setMetric("kept", lab.ledger.totals.object("Song").alive)
    try lab.release("the playlists are dropped") { playlists = [] }
    withExtendedLifetime(playlists) {}
  }

  @Sendable private static func keep(_ lab: Lab) throws {
    let title = Secret.word()
    var (playlist, song): (Playlist?, Playlist.Track?) = (nil, nil)
    try lab.step("a playlist gets a song") {
      playlist = Playlist(title: title)
      song = Playlist.Track()
      if let song { playlist?.add(song) }
    }
    lab.ledger.setMetric("titleBefore", song?.playlistTitle == title ? 1 : 0)
    try lab.release("the playlist's variable is dropped") { playlist = nil }
    try lab.step("the song is asked for its playlist") {
      lab.ledger.setMetric("titleAfter", song?.playlistTitle == nil ? 0 : 1)
    }
    try lab.release("the song's variable is dropped") { song = nil }
    withExtendedLifetime((playlist, song)) {}
  }

  private static func move(_ lab: Lab, titles: [String]) throws {
    var playlists: [Playlist] = []
    var song: Playlist.Track?
    try lab.step("a song is added to two playlists") {
      playlists = titles.map { Playlist(title: $0) }
      song = Playlist.Track()
      for playlist in playlists { song.map(playlist.add) }
    }
    try lab.release("the first playlist is dropped") { playlists.removeFirst() }
    lab.ledger.setMetric("newTitle", song?.playlistTitle == titles[1] ? 1 : 0)
    try lab.release("the second playlist is dropped") { playlists = [] }
    lab.ledger.setMetric("titleAfter", song?.playlistTitle == nil ? 0 : 1)
    try lab.release("the song's variable is dropped") { song = nil }
    withExtendedLifetime((playlists, song)) {}
  }
}
