// A camera films whether anybody looks or not. Each frame that nobody has taken waits in the stream,
// so memory grows as long as nobody looks, and a late reader sees what is long over. Fix it so that
// the newest three frames wait, in order, and no others. `missed` says how many were dropped for
// newer ones. A reader who is there in time misses nothing, and what waits when the camera stops can
// still be read.

import MemlabKit

/// The camera.
final class Camera: CameraUnderStudy {
  /// What it films. One task may read it.
  let frames: AsyncStream<Frame>
  /// How many frames were dropped for newer ones.
  private(set) var missed = 0
  private let continuation: AsyncStream<Frame>.Continuation
  private let probe = Probe(Camera.self)

  /// A camera that has filmed nothing.
  init() { (frames, continuation) = AsyncStream.makeStream() }

  /// Takes a frame, and waits for nobody.
  func film(_ frame: Frame) { continuation.yield(frame) }

  /// Films nothing more.
  func stop() { continuation.finish() }

  deinit { continuation.finish() }
}
