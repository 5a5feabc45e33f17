import MemlabKit

/// What the judge needs of a song.
package protocol SongUnderStudy: AnyObject {
  /// The title of the playlist that it is in; nil if it is in none.
  var playlistTitle: String? { get }
  /// A song in no playlist.
  init()
}

/// What the judge needs of a playlist.
package protocol PlaylistUnderStudy: AnyObject {
  /// The songs in it.
  associatedtype Track: SongUnderStudy
  /// An empty playlist.
  init(title: String)
  /// Appends a song.
  func add(_ song: Track)
}

extension Exercise {
  /// Exercise 01, judging this playlist.
  package static func playlist<Playlist: PlaylistUnderStudy>(_ type: Playlist.Type) -> Exercise {
    Exercise(
      number: "01", title: "a playlist and its songs", lesson: "01-who-owns-whom",
      file: "01-playlist/Playlist.swift",
      hint: "Which of the two owns the other? The reference back to the owner must not count, and "
        + "the owner may be deinitialised first.",
      figures: [
        "titleBefore": "is 1 if the song names its playlist while the playlist is alive.",
        "titleAfter": "is 1 if the song still names a playlist after the playlist was dropped.",
      ],
      endings: [
        Ending(
          "drop", "the playlist and its song are dropped", expects: solved(),
          explanation: "The playlist is deinitialised when its variable is dropped, and its song "
            + "with it."
        ) { lab in
          var (playlist, song) = try create(Playlist.self, lab)
          try lab.release("the song's variable is dropped") { song = nil }
          try lab.release("the playlist's variable is dropped") { playlist = nil }
          withExtendedLifetime((playlist, song)) {}
        },
        Ending(
          "kept", "the playlist is dropped, its song is kept",
          expects: solved(metrics: ["titleBefore": 1, "titleAfter": 0]),
          explanation: "The song outlives its playlist, and says that it has none."
        ) { lab in
          var (playlist, song) = try create(Playlist.self, lab)
          lab.ledger.setMetric("titleBefore", song?.playlistTitle == nil ? 0 : 1)
          try lab.release("the playlist's variable is dropped") { playlist = nil }
          try lab.step("the song is asked for its playlist") {
            lab.ledger.setMetric("titleAfter", song?.playlistTitle == nil ? 0 : 1)
          }
          try lab.release("the song's variable is dropped") { song = nil }
          withExtendedLifetime((playlist, song)) {}
        },
      ])
  }

  private static func create<Playlist: PlaylistUnderStudy>(
    _ type: Playlist.Type, _ lab: Lab
  ) throws -> (Playlist?, Playlist.Track?) {
    var pair: (Playlist, Playlist.Track)?
    try lab.step("a playlist gets a song") {
      let (playlist, song) = (Playlist(title: "Evening"), Playlist.Track())
      playlist.add(song)
      pair = (playlist, song)
    }
    return (pair?.0, pair?.1)
  }

  private static func solved(metrics: [Metric: Int] = [:]) -> Declaration {
    Declaration(
      .clean,
      objects: [
        ObjectCount("Playlist", created: 1, deinitialized: 1),
        ObjectCount("Song", created: 1, deinitialized: 1),
      ], metrics: metrics)
  }
}
