import MemlabKit

extension Document {
  /// The reference on memory of a skill for coding assistants, by Antoine van der Lee, as of commit
  /// 45fa49e; under the MIT licence, which `Documentation/AgentSkillLicense.txt` has.
  static let skillMemory = skill("memory-management", title: "an assistants' reference on memory")
  /// The reference on tasks of the same skill.
  static let skillTasks = skill("tasks", title: "an assistants' reference on tasks")
  /// The reference on streams of the same skill.
  static let skillStreams = skill("async-sequences", title: "an assistants' reference on streams")
  /// The reference on observation of the same skill.
  static let skillObservation = skill(
    "observation", title: "an assistants' reference on observation")

  private static func skill(_ page: String, title: String) -> Document {
    Document(
      file: "https://github.com/AvdLee/Swift-Concurrency-Agent-Skill/blob/45fa49e/skills/"
        + "swift-concurrency/references/\(page).md",
      title: title, family: "taught")
  }
}
