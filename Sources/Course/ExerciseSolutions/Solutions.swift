import MemlabExercises
package import MemlabKit

/// The same exercises, solved.
package enum Solutions {
  /// The exercises, each judging its solution.
  package static let all: [Exercise] = [
    .playlist(Playlist.self), .menu(Menu.self), .ticker(Ticker.self),
    .thermometer(Thermometer.self), .newsDesk(NewsDesk.self), .scoreboard(Scoreboard.self),
    .search(SearchModel.self), .profile(ProfileModel.self), .thumbnails(Thumbnails.self),
    .stock(StockView.self), .account(Account.self), .pictures(Pictures.self),
    .download(Screen.self), .lamp(Lamp.self), .doorbell(Doorbell.self), .letters(LetterBox.self),
    .shop(Shop.self), .chat(Chat.self),
  ]
}
