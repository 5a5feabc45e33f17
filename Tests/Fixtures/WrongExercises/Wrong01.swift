import Exercises
import MemlabKit

/// Wrong solutions of exercise 01.
enum Wrong01: String, Mistakes {
  case none, asShipped, unowned, exits, pretends, hangs, copiesTitle, addsNothing, forgetsSongs
  case replacesSongs, clearsTitles, hasNoProbe, dropsProbe, holdsInTask, traps, keepsAll
  case keepsTwo, forgetsWhenAsked, asksTheLast

  nonisolated(unsafe) static var now = Wrong01.none

  static let all = solutions(
    of: .playlist(Playlist.self),
    [
      .asShipped: "Playlist is still alive at the end, held by",
      .unowned: "Where the object may be gone first, the reference is weak.",
      .exits: "Your code ended the process, with code 0, in step 1",
      .pretends: "Your code ended the process, with code 0",
      .hangs: "nothing has moved",
      .copiesTitle: "a copy of the title stays behind",
      .addsNothing: "A song that was added must still know its playlist",
      .forgetsSongs: "The playlist must go on holding its songs",
      .replacesSongs: "The playlist must go on holding its songs",
      .clearsTitles: "must not touch a song that has moved on",
      .hasNoProbe: "No Song was counted: each has to store Probe(Song.self).",
      .dropsProbe: "The probes do not tell what the heap shows",
      .holdsInTask: "each task is started with Task(probe:)",
      .traps: "Swift says: not like this",
      .keepsAll: "held by",
      .keepsTwo: "The playlist must go on holding its songs",
      .forgetsWhenAsked: "A song that was added must still know its playlist",
      .asksTheLast: "A song that was added must still know its playlist",
    ]
  ) { now = $0 }

  nonisolated(unsafe) static var shelf: [Playlist] = []
  nonisolated(unsafe) static weak var last: Playlist?

  final class Playlist: PlaylistUnderStudy {
    let title: String
    private var songs: [Song] = []
    private let probe = Probe(Playlist.self)

    init(title: String) {
      self.title = title
      if now == .keepsAll { shelf.append(self) }
    }

    func add(_ song: Song) {
      switch now {
      case .exits: Sabotage.leave()
      case .pretends: Sabotage.pretend()
      case .hangs: Sabotage.hang()
      case .addsNothing: return
      case .forgetsSongs: break
      case .replacesSongs: songs = [song]
      case .keepsTwo: songs = (songs + [song]).suffix(2)
      default: songs.append(song)
      }
      song.join(self)
    }

    deinit {
      if now == .traps { fatalError("not like this") }
      if now == .clearsTitles { for song in songs { song.copiedTitle = nil } }
    }
  }

  final class Song: SongUnderStudy {
    private weak var playlist: Playlist?
    private unowned var unownedPlaylist: Playlist?
    private var strongPlaylist: Playlist?
    var copiedTitle: String?
    private let probe: Probe?

    init() {
      probe = now == .hasNoProbe || now == .dropsProbe ? nil : Probe(Song.self)
      if now == .dropsProbe { drop(Probe(Song.self)) }
    }

    var playlistTitle: String? {
      switch now {
      case .copiesTitle, .clearsTitles: copiedTitle
      case .unowned: unownedPlaylist?.title
      case .forgetsWhenAsked: forget()?.title
      case .asksTheLast: last?.title
      default: (playlist ?? strongPlaylist)?.title
      }
    }

    private func forget() -> Playlist? {
      defer { strongPlaylist = nil }
      return strongPlaylist
    }

    func join(_ playlist: Playlist) {
      copiedTitle = playlist.title
      last = playlist
      switch now {
      case .asShipped, .dropsProbe, .forgetsWhenAsked: strongPlaylist = playlist
      case .unowned: unownedPlaylist = playlist
      case .holdsInTask:
        self.playlist = playlist
        Task { [copiedTitle] in
          await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          print(copiedTitle ?? "")
        }
      default: self.playlist = playlist
      }
    }

    private func drop(_ probe: consuming Probe) {}
  }
}
