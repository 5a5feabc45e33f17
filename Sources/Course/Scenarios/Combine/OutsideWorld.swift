import MemlabKit
import MemlabPlatform

/// The server and the disk that the loaders use. An app has them as long as it runs.
final class OutsideWorld: Sendable {
  /// The server's side of every request.
  let server: Backlog
  /// The disk's side of every save.
  let disk: Backlog

  /// A world without open work.
  init(_ ledger: Ledger) {
    server = Backlog(of: "request", in: ledger)
    disk = Backlog(of: "save", in: ledger)
  }
}

/// Foundation's session, as far as the document uses it. Its server answers when the stage tells it
/// to.
final class URLSession: Sendable {
  private let server: Backlog
  private let body: Data

  /// A session with a server that answers every request with this text.
  init(server: Backlog, body: String) {
    self.server = server
    self.body = Data(body.utf8)
  }

  /// Sends a request for each subscription.
  func dataTaskPublisher(for url: URL) -> Work<(data: Data, response: URLResponse), URLError> {
    Work(backlog: server) { [body] in .success((data: body, response: URLResponse())) }
  }
}

/// What a server sends besides the data.
struct URLResponse: Sendable {}

/// What can go wrong on the way to a server. Nothing does here.
struct URLError: Error {}

/// The document's wrapper of a model that was stored.
struct Stored<Model> {
  /// What was stored.
  let model: Model
}

/// The database, which the document does not show. A save ends when the disk has written.
final class Database {
  private let disk: Backlog
  private let probe = Probe(Database.self)

  /// A database on this disk.
  init(disk: Backlog) { self.disk = disk }

  /// Saves a model; each subscription is one save.
  func store<Model>(_ model: Model) -> AnyPublisher<Stored<Model>, Error> {
    Work(backlog: disk) { .success(Stored(model: model)) }.eraseToAnyPublisher()
  }
}

/// What the loaders load.
struct Article: Decodable, Sendable {
  /// Its title.
  let title: String
}
