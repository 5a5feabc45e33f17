// A thermometer notes each value of its sensor, in a task of its own. When the thermometer is
// dropped, it stays alive, and so does the task. Fix it so that the thermometer is deinitialised
// when it is dropped, and so that its task ends then, even if the sensor never sends again.

import MemlabKit

/// The thermometer.
final class Thermometer: ThermometerUnderStudy {
  /// The values so far, in order.
  private(set) var values: [Int] = []
  private let probe = Probe(Thermometer.self)

  /// A thermometer that begins to read.
  init(sensor: Sensor) {
    Task(probe: "reading") { [weak self] in
      guard let self else { return }
      for await value in sensor.values {
        self.values.append(value)
      }
    }
  }
}
