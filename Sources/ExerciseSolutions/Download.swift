// A screen owns a download and is told when it is done. What is owned knows its owner, and does not
// hold it.

import Exercises
import MemlabKit

protocol DownloadDelegate: AnyObject {
  func downloadDidFinish(_ download: Download)
}

final class Download {
  weak var delegate: DownloadDelegate?
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
