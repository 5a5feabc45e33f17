package import MemlabCLI
// The C library and Foundation, for every file of this room and for those that import it.
@_exported public import MemlabPlatform

extension Commands {
  /// All commands, as `memlab-full` and packages with scenarios of their own have them.
  package static let full: [String: any Command.Type] = [
    "graph": GraphCommand.self, "matrix": MatrixCommand.self, "compare": CompareCommand.self,
    "exercise": ExerciseCommand.self, "show": ShowCommand.self, "hint": HintCommand.self,
    "walk": WalkCommand.self, "lesson": LessonCommand.self, "completions": CompletionsCommand.self,
    "man": ManCommand.self, "report": ReportCommand.self, "film": FilmCommand.self,
    "cut": CutCommand.self, "hunt": HuntCommand.self, "beliefs": BeliefsCommand.self,
    "inventory": InventoryCommand.self, "answers": AnswersCommand.self, "site": SiteCommand.self,
    "watch": WatchCommand.self, "top": TopCommand.self, "snapshot": SnapshotCommand.self,
    "diff": DiffCommand.self, "why": WhyCommand.self, "baseline": BaselineCommand.self,
  ].merging(measuring) { full, _ in full }
}
