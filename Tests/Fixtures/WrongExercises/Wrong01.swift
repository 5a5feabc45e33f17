import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 01.
enum Wrong01: String, Mistakes {
  case none, asShipped, unowned, exits, pretends, hangs, copiesTitle, addsNothing, forgetsSongs
  case replacesSongs, clearsTitles, noProbe, dropsProbe, holdsInTask, traps, keepsAll, keepsTwo
  case forgetsWhenAsked, asksTheLast, asksWhoElse, unsafelyUnowned, releasesOnce, setsFigure
  case firstStays, holdsInClosure, registers, waitsAMinute, logsTitles, weakSongs, clearsByTitle
  case sharesLabel, asksTheTable

  static let all = solutions(
    of: PlaylistJudge<Playlist>.exercise,
    [
      "Playlist is still alive at the end, held by": [.asShipped, .holdsInClosure],
      "Where the object may be gone first, the reference is weak.": [.unowned],
      "Your code ended the process, with code 0, in step 1": [.exits],
      "a copy of the title stays behind": [.copiesTitle],
      "A song that was added must still know its playlist": [
        .addsNothing, .forgetsWhenAsked, .asksTheLast, .waitsAMinute,
      ],
      "The playlist must go on holding its songs": [
        .forgetsSongs, .replacesSongs, .keepsTwo, .weakSongs,
      ],
      "must not touch a song that has moved on": [.clearsTitles, .clearsByTitle],
      "No Song was counted: each has to store Probe(Song.self).": [.noProbe],
      "each task is started with Task(probe:)": [.holdsInTask],
      "Swift says: not like this": [.traps],
      "Playlist is still alive at the end, held by Song": [.asksWhoElse],
      "An unowned reference to an object that is gone ends like this": [.releasesOnce],
      "Only the judge sets its figures": [.setsFigure],
      "newTitle should be 1": [.firstStays],
      "Playlist are still alive at the end, held by": [.registers],
      "although no object with a probe is left": [.logsTitles],
    ], right: [.sharesLabel, .asksTheTable])

  nonisolated(unsafe) static var shelf: [Playlist] = []
  nonisolated(unsafe) static weak var last: Playlist?
  nonisolated(unsafe) static var byTitle: [String: Playlist] = [:]
  nonisolated(unsafe) static var log: [Box<String>] = []
  nonisolated(unsafe) static var table: [ObjectIdentifier: Box<String?>] = [:]

  private struct WeakSong { weak var value: Song? }

  final class Playlist: PlaylistUnderStudy {
    let title: String
    private var songs: [Song] = []
    private var weakSongs: [WeakSong] = []
    let label: Box<String?>
    private let probe = Probe(Playlist.self)

    init(title: String) {
      self.title = title
      label = Box(title)
      if now == .registers { byTitle[title] = self }
      if now == .asksTheTable { table[ObjectIdentifier(self)] = label }
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
      case .weakSongs: weakSongs.append(WeakSong(value: song))
      case .logsTitles:
        log.append(Box(title))
        songs.append(song)
      case .keepsTwo: songs = (songs + [song]).suffix(2)
      default: songs.append(song)
      }
      song.join(self)
    }

    deinit {
      if now == .traps { fatalError("not like this") }
      label.value = nil
      table[ObjectIdentifier(self)] = nil
      if now == .clearsTitles { for song in songs { song.copiedTitle = nil } }
      if now == .clearsByTitle {
        for song in songs where song.copiedTitle == title { song.copiedTitle = nil }
      }
    }
  }

  final class Song: SongUnderStudy {
    private weak var playlist: Playlist?
    private unowned var unownedPlaylist: Playlist?
    private var strongPlaylist: Playlist?
    private var unsafePlaylist = Unsafely<Playlist>()
    private var closure: (() -> String?)?
    private var label: Box<String?>?
    private var name: ObjectIdentifier?
    private var count = 0
    var copiedTitle: String?
    private let probe = makeProbe(of: Song.self)

    var playlistTitle: String? {
      switch now {
      case .copiesTitle, .clearsTitles, .clearsByTitle, .setsFigure: copiedTitle
      case .unsafelyUnowned: unsafePlaylist.object?.title
      case .holdsInClosure: closure?()
      case .registers: copiedTitle.flatMap { byTitle[$0] }?.title
      case .asksWhoElse: askOnce()?.title
      case .sharesLabel: label?.value
      case .asksTheTable: name.flatMap { table[$0] }?.value
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

    private func askOnce() -> Playlist? {
      count += 1
      if isKnownUniquelyReferenced(&strongPlaylist) { strongPlaylist = nil }
      defer { if count == 2 { strongPlaylist = nil } }
      return strongPlaylist
    }

    deinit { if now == .setsFigure { Ledger.current?.setMetric("titleAfter", 0) } }

    func join(_ playlist: Playlist) {
      if now == .firstStays, copiedTitle != nil { return }
      label = playlist.label
      name = ObjectIdentifier(playlist)
      copiedTitle = playlist.title
      last = playlist
      switch now {
      case .asShipped, .dropsProbe, .forgetsWhenAsked, .asksWhoElse, .weakSongs:
        strongPlaylist = playlist
      case .unsafelyUnowned: unsafePlaylist.object = playlist
      case .releasesOnce:
        strongPlaylist = playlist
        Unmanaged.passUnretained(playlist).release()
      case .holdsInClosure: closure = { playlist.title }
      case .waitsAMinute:
        strongPlaylist = playlist
        Task { [weak self] in
          try? await Task.sleep(for: .seconds(60))
          self?.strongPlaylist = nil
        }
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
  }
}
