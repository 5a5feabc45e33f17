import MemlabKit
import MemlabScenarios

extension Catalog {
  /// Why `memlab hunt` finds something left in endings that no scenario declares: each way by its
  /// scenario, with the reason.
  static let knownWays: [String: [String: String]] = [
    "shared-stream-split": [
      "finish 1:stop":
        "nobody is left to finish the stream, and the consumers and the producer wait",
      "finish 1:cancel+stop:A":
        "to cancel one consumer ends the stream for both, and the producer waits",
      "cancel 1:stop": "nobody is left to finish the stream, and its consumers wait",
    ],
    "broadcast-stream": [
      "demo 2:stop":
        "each task holds the actor, and waits for a stream that only the actor can finish",
      "demo 2:cancel+stop:A":
        "B holds the actor, and waits for a stream that only the actor can finish",
      "demo 2:cancel+stop:B":
        "A holds the actor, and waits for a stream that only the actor can finish",
      "slow 2:stop": "B waits for a step before it iterates, and no finish() reaches it there",
      "slow 3:stop": "B waits for a step before it iterates, and its stream keeps the messages",
    ],
    "broadcast-dropped": [
      "no-deinit 2:cancel+stop:A": "B waits for a stream that nobody finishes",
      "no-deinit 2:cancel+stop:B": "A waits for a stream that nobody finishes",
      "captured 2:cancel+stop:A": "B holds the actor, and waits for a stream of it",
      "captured 2:cancel+stop:B": "A holds the actor, and waits for a stream of it",
    ],
    "broadcast-strong-termination": [
      "drop 2:cancel+stop:A": "the stream of B holds its onTermination, and that the actor",
      "drop 2:cancel+stop:B": "the stream of A holds its onTermination, and that the actor",
    ],
    "struct-escaping-self": [
      "variable 2:stop":
        "the closure over the variable waits in the network that the variable holds"
    ],
    "struct-actor-await": ["before 1:stop": "the writers wait for their turn, which never comes"],
    "async-let-inout-race": [
      "in-turn 1:stop": "the additions wait for their turn, which never comes"
    ],
    "calendar-observer-cycle": [
      "app-wide 1:stop": "what is kept for the whole app stays until a step removes it"
    ],
    "polling-weak-self": ["scoped 1:stop": "the loop sleeps, and nobody turns its clock any more"],
    "cycle-that-ends": ["done 1:stop": "the call never completes, and only that ends the cycle"],
    "blocked-not-leaked": ["signal 1:stop": "the signal never comes"],
    "finished-handles": ["kept 1:stop": "the requests are never answered, and their tasks wait"],
    "unstructured-child": ["direct 1:stop": "the view's task waits for an answer that never comes"],
    "tick-again": ["weak 1:stop": "the task sleeps, and nobody turns its clock any more"],
    "defer-weak-self": [
      "drop 1:stop":
        "the task holds the worker while it sleeps, and nobody turns its clock any more",
      "captured 1:stop": "the task sleeps, and nobody turns its clock any more",
    ],
    "queue-backlog": [
      "latest 1:stop": "the queue never comes to the callback that holds the reader"
    ],
    "weak-test": [
      "slow 1:stop": "the task holds the model while it waits for an answer that never comes"
    ],
  ]
}
