import Foundation

/// Whether the test that fails on purpose is left out.
let leakIsHidden = ProcessInfo.processInfo.environment["SHOW_THE_LEAK"] == nil
