// So that the learner's file needs no line for its judge.
@_exported public import MemlabExerciseJudges
package import MemlabKit

/// Every exercise, in the learner's current version.
package enum Exercises {
  /// The exercises, in the order of their lessons.
  package static let all: [Exercise] = [
    PlaylistJudge<Playlist>.exercise, MenuJudge<Menu>.exercise, TickerJudge<Ticker>.exercise,
    ThermometerJudge<Thermometer>.exercise, NewsDeskJudge<NewsDesk>.exercise,
    ScoreboardJudge<Scoreboard>.exercise, SearchJudge<SearchModel>.exercise,
    ProfileJudge<ProfileModel>.exercise, ThumbnailsJudge<Thumbnails>.exercise,
    StockJudge<StockView>.exercise, AccountJudge<Account>.exercise,
    PicturesJudge<Pictures>.exercise, DownloadJudge<Screen>.exercise, LampJudge<Lamp>.exercise,
    DoorbellJudge<Doorbell>.exercise, LetterBoxJudge<LetterBox>.exercise, ShopJudge<Shop>.exercise,
    ChatJudge<Chat>.exercise, DepotJudge<Depot>.exercise, WeatherJudge<WeatherModel>.exercise,
    CameraJudge<Camera>.exercise, NewsPageJudge<NewsPage>.exercise,
  ]
}
