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

/// Exercise 12: two thermometers and their sensors. Only one of them is asked for its values.
package final class ThermometerJudge<Device: ThermometerUnderStudy>: JudgeStage, Judge {
  private let sensors = [Sensor(), Sensor()]
  private var asked = 0
  private var devices: [Device] = []
  private var values: [Int] = []
  private var (lost, tasksLeft) = (0, 0)

  /// The endings of the exercise.
  package static var endings: [Ending] {
    ending("drop") { try $0.dropDevice() }
    ending("next", asked: 1) { stage in
      try stage.dropDevice()
      try stage.lab.step("the sensor sends again") { stage.sensors[1].send(Secret.number()) }
    }
    // The task has the value before it learns that it is cancelled.
    ending("moment") { try $0.dropDevice(sending: true) }
    ending("one") { stage in
      try stage.dropDevice(only: 1)
      try stage.sendMore()
      try stage.dropDevice()
    }
    ending("finish") { stage in
      try stage.lab.release("the sensors finish") {
        for sensor in stage.sensors { sensor.finish() }
      }
      stage.countTasks(awaited: 0)
      try stage.dropDevice()
    }
  }

  private static func ending(
    _ name: String, asked: Int = 0, _ act: @escaping @Sendable (ThermometerJudge) throws -> Void
  ) -> Ending {
    Ending(
      name, ["Thermometer": 2], tasks: ["reading": 2], figures: ["valuesLost": 0, "tasksLeft": 0]
    ) { lab in
      let stage = ThermometerJudge(lab)
      stage.asked = asked
      try stage.open()
      try act(stage)
      lab.ledger.setMetrics(["valuesLost": stage.lost, "tasksLeft": stage.tasksLeft])
    }
  }

  private func open() throws {
    for sensor in sensors { AppWide.keep(sensor, for: lab.ledger) }
    let fresh = Secret.numbers(5 + Secret.number(upTo: 10))
    // A value may come again, also at once.
    values = fresh + [fresh[0], fresh[0]]
    try lab.step("two thermometers begin to read, a sensor each") {
      devices = sensors.map { Device(sensor: $0) }
    }
    try lab.step("the sensors send a value") {
      sensors[asked].send(values[0])
      sensors[1 - asked].send(Secret.number())
    }
    if devices[asked].values != Array(values.prefix(1)) { lost += 1 }
    try lab.step("one sensor sends many at once") {
      values.dropFirst().forEach(sensors[asked].send)
    }
    countLost()
  }

  private func sendMore() throws {
    let more = Secret.numbers(3)
    values += more
    try lab.step("the sensor of the other sends three more") { more.forEach(sensors[asked].send) }
    countLost()
  }

  /// Drops the thermometer with this number, or all.
  private func dropDevice(only number: Int? = nil, sending isSending: Bool = false) throws {
    countLost()
    let what = number == nil ? "the thermometers are dropped" : "the second thermometer is dropped"
    try lab.release(isSending ? "the sensors send a value, and \(what) at once" : what) {
      if isSending { for sensor in sensors { sensor.send(Secret.number()) } }
      if let number { devices.remove(at: number) } else { devices = [] }
    }
    countTasks(awaited: devices.count)
  }

  private func countTasks(awaited: Int) {
    tasksLeft += max(0, lab.ledger.totals.liveTasks - awaited)
  }

  private func countLost() {
    guard devices.indices.contains(asked) else { return }
    lost += values.count - devices[asked].values.right(of: values)
  }
}
