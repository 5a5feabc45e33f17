import Foundation

/// Programs of other people that a test may need, and that a machine may not have.
enum Installed {
  static let bash = "/bin/bash"
  static let fish = "/usr/bin/fish"
  static let zsh = "/usr/bin/zsh"
  static let make = "/usr/bin/make"
  static let groff = "/usr/bin/groff"
  static let mandoc = "/usr/bin/mandoc"

  /// Whether a program is there.
  static func has(_ path: String) -> Bool { FileManager.default.isExecutableFile(atPath: path) }
}
