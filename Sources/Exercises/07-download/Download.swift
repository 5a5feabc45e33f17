// A screen owns a download and is told when it is done. As it stands, neither is ever deinitialised.
// Mend it so that both go when the screen is dropped, and so that the screen still hears.

import MemlabKit

protocol DownloadDelegate: AnyObject {
  func downloadDidFinish(_ download: Download)
}

final class Download {
  var delegate: DownloadDelegate?
  private let probe = Probe(Download.self)

  func finish() { delegate?.downloadDidFinish(self) }
}

final class Screen: ScreenUnderStudy, DownloadDelegate {
  private let download = Download()
  private(set) var isDone = false
  private let probe = Probe(Screen.self)

  func load() { download.delegate = self }

  func bytesArrive() { download.finish() }

  func downloadDidFinish(_ download: Download) { isDone = true }
}
