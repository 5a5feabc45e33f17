/// The words that only the site's script says.
package enum ScriptWords {
  /// The words in English, each as it stands in the script.
  package static let all = [
    "right", "not what was measured", "Your prediction", "Measured", "waits", "runs", "ends",
    "Nothing was found.", "hidden until you have predicted", "Predict first, or skip the question.",
    "objects deinitialised", "tasks still live", "as much as before", "First", "Back",
    "Next", "Last", "Predict",
    "Step", "Steps", "The result", "That step", "The next ending", "Keys", "Close",
  ]
}
