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
      number: "12",
      endings: [
        ending(type, "drop", "the thermometers are dropped, and no value comes") { stage in
          try stage.dropDevice()
        },
        ending(
          type, "next", "the thermometers are dropped, then one more value comes", asked: 1
        ) { stage in
          try stage.dropDevice()
          try stage.lab.step("the sensor sends again") { stage.sensors[1].send(Secret.number()) }
        },
        // The task has the value before it learns that it is cancelled.
        ending(type, "moment", "a value comes at the moment when the thermometers are dropped") {
          try $0.dropDevice(sending: true)
        },
        ending(type, "one", "one thermometer is dropped, and the other goes on") { stage in
          try stage.dropDevice(only: 1)
          try stage.sendMore()
          try stage.dropDevice()
        },
        ending(type, "finish", "the sensors finish, then the thermometers are dropped") { stage in
          try stage.lab.release("the sensors finish") {
            for sensor in stage.sensors { sensor.finish() }
          }
          stage.countTasks(awaited: 0)
          try stage.dropDevice()
        },
      ])
  }

  private static func ending<Device: ThermometerUnderStudy>(
    _ type: Device.Type, _ name: String, _ title: String, asked: Int = 0,
    _ act: @escaping @Sendable (ThermometerStage<Device>) throws -> Void
  ) -> Ending {
    Ending(
      name, title,
      expects: .solved(
        ["Thermometer": 2], tasks: ["reading": 2], ["valuesLost": 0, "tasksLeft": 0]),
      explanation: "The task ends with the thermometer that it reads for."
    ) { lab in
      let stage = ThermometerStage<Device>(lab, asked: asked)
      for sensor in stage.sensors { AppWide.keep(sensor, for: lab.ledger) }
      try stage.open()
      try act(stage)
      stage.close()
    }
  }
}

/// Two thermometers and their sensors. Only one of them is asked for its values.
private final class ThermometerStage<Device: ThermometerUnderStudy> {
  let lab: Lab
  let sensors = [Sensor(), Sensor()]
  private let asked: Int
  private var devices: [Device] = []
  private var values: [Int] = []
  private var (lost, tasksLeft) = (0, 0)

  init(_ lab: Lab, asked: Int) { (self.lab, self.asked) = (lab, asked) }

  func open() throws {
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

  func sendMore() throws {
    let more = Secret.numbers(3)
    values += more
    try lab.step("the sensor of the other sends three more") { more.forEach(sensors[asked].send) }
    countLost()
  }

  /// Drops the thermometer with this number, or all.
  func dropDevice(only number: Int? = nil, sending isSending: Bool = false) throws {
    countLost()
    let what = number == nil ? "the thermometers are dropped" : "the second thermometer is dropped"
    try lab.release(isSending ? "the sensors send a value, and \(what) at once" : what) {
      if isSending { for sensor in sensors { sensor.send(Secret.number()) } }
      if let number { devices.remove(at: number) } else { devices = [] }
    }
    countTasks(awaited: devices.count)
  }

  func countTasks(awaited: Int) { tasksLeft += max(0, lab.ledger.totals.liveTasks - awaited) }

  func close() { lab.ledger.setMetrics(["valuesLost": lost, "tasksLeft": tasksLeft]) }

  private func countLost() {
    guard devices.indices.contains(asked) else { return }
    lost += values.count - devices[asked].values.right(of: values)
  }
}
