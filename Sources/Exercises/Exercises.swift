/// Every exercise, in the learner's current version.
package enum Exercises {
  /// The exercises, in the order of their lessons.
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
