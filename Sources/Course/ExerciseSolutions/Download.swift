// A screen owns a download, which tells the screen when it is done. The download refers to its
// owner, but does not hold it.

import MemlabExercises
import MemlabKit

/// Is told when a download is done.
protocol DownloadDelegate: AnyObject {
  /// Is called when the last bytes have arrived.
  func downloadDidFinish(_ download: Download)
}

/// The download.
final class Download {
  /// The screen that waits for it.
  weak var delegate: DownloadDelegate?
  private let probe = Probe(Download.self)

  /// Tells the delegate that the download is done.
  func finish() { delegate?.downloadDidFinish(self) }
}

/// The screen.
final class Screen: ScreenUnderStudy, DownloadDelegate {
  private let download = Download()
  /// Whether it was told that its download is done.
  private(set) var isDone = false
  private let probe = Probe(Screen.self)

  /// Starts the download.
  ///
  /// - Returns: what the network keeps, and calls when the last bytes have arrived.
  func load() -> () -> Void {
    download.delegate = self
    return download.finish
  }

  /// Is called when the last bytes have arrived.
  func downloadDidFinish(_ download: Download) { isDone = true }
}
