package import Exercises

/// The same exercises, solved.
package enum Solutions {
  /// The exercises, each judging its solution.
  package static let all: [Exercise] = [
    .playlist(Playlist.self),
    .ticker(Ticker.self),
    .newsDesk(NewsDesk.self),
    .search(SearchModel.self),
    .thumbnails(Thumbnails.self),
    .account(Account.self),
    .download(Screen.self),
    .doorbell(Doorbell.self),
  ]
}
