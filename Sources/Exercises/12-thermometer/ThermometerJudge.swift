package import MemlabKit

/// What the judge needs of a thermometer.
package protocol ThermometerUnderStudy: AnyObject {
  /// The values so far, in order.
  var values: [Int] { get }
  /// A thermometer that begins to read.
  init(sensor: Sensor)
}

/// A sensor. It lives as long as the house.
package final class Sensor: Sendable {
  /// What it measures. One task at a time may read it.
  package let values: AsyncStream<Int>
  private let continuation: AsyncStream<Int>.Continuation

  /// A sensor that has measured nothing.
  init() { (values, continuation) = AsyncStream.makeStream() }

  /// Measures something.
  func send(_ value: Int) { continuation.yield(value) }
  /// Will measure nothing more.
  func finish() { continuation.finish() }
}

extension Exercise {
  /// Exercise 12, judging this thermometer.
  package static func thermometer<Device: ThermometerUnderStudy>(_ type: Device.Type) -> Exercise {
    Exercise(
      number: "12", title: "a thermometer that reads forever",
      lesson: "02-five-steps-to-a-stream-that-ends", file: "12-thermometer/Thermometer.swift",
      hint: "A guard that makes self strong before the loop holds it as long as the loop runs. And "
        + "a loop that waits for the next value learns of nothing else. 'memlab compare "
        + "weak-self-guard weak-self-loop' shows the one, 'memlab walk weak-self-and-cancel' both.",
      secondHint:
        "In the loop, write self?.values.append(value), with no guard before it. Keep the "
        + "task in a property, and cancel it in deinit.",
      figures: [
        "valuesRight": "is how many of the sensor's values the thermometer has noted, in order.",
        "tasksLeft": "is how many tasks were still alive right after the event.",
      ],
      advice: [
        "valuesRight": "Every value must be noted as long as the thermometer lives.",
        "tasksLeft": "The task must end with the event itself, not at the next value.",
        "Thermometer": "What makes self strong, and for how long?",
        "task reading": "Nobody cancels it. Who could?",
      ],
      endings: [
        ending(type, "drop", "the thermometer is dropped, and no value comes") { stage in
          try stage.dropDevice()
        },
        ending(type, "next", "the thermometer is dropped, then one more value comes") { stage in
          try stage.dropDevice()
          try stage.lab.step("the sensor sends again") { stage.sensor.send(Secret.number()) }
        },
        ending(type, "finish", "the sensor finishes, then the thermometer is dropped") { stage in
          try stage.lab.release("the sensor finishes") { stage.sensor.finish() }
          stage.countTasks()
          try stage.dropDevice()
        },
      ])
  }

  private static func ending<Device: ThermometerUnderStudy>(
    _ type: Device.Type, _ name: String, _ title: String,
    _ act: @escaping @Sendable (ThermometerStage<Device>) throws -> Void
  ) -> Ending {
    Ending(
      name, title,
      expects: Declaration(
        .clean, objects: [ObjectCount("Thermometer", created: 1, deinitialized: 1)],
        tasks: [TaskCount("reading", started: 1, finished: 1)],
        metrics: ["valuesRight": 5, "tasksLeft": 0]),
      explanation: "The task ends with the thermometer that it reads for."
    ) { lab in
      let stage = ThermometerStage<Device>(lab)
      AppWide.keep(stage.sensor, for: lab.ledger)
      try stage.open()
      try act(stage)
    }
  }
}

/// A thermometer and its sensor.
private final class ThermometerStage<Device: ThermometerUnderStudy> {
  let lab: Lab
  let sensor = Sensor()
  private var device: Device?

  init(_ lab: Lab) { self.lab = lab }

  func open() throws {
    let values = Secret.numbers(5)
    try lab.step("a thermometer begins to read") { device = Device(sensor: sensor) }
    try lab.step("the sensor sends a value") { sensor.send(values[0]) }
    try lab.step("the sensor sends four at once") { values.dropFirst().forEach(sensor.send) }
    let noted = device?.values ?? []
    lab.ledger.setMetric(
      "valuesRight",
      zip(noted, values).count { $0 == $1 } - max(0, noted.count - values.count))
  }

  func dropDevice() throws {
    try lab.release("the thermometer is dropped") { device = nil }
    countTasks()
  }

  func countTasks() {
    lab.ledger.setMetric("tasksLeft", lab.ledger.totals.liveTasks)
  }
}
