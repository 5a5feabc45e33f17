import MemlabExercises
import MemlabKit

/// The thermometer.
final class Thermometer: ThermometerUnderStudy {
  /// The values so far, in order.
  private(set) var values: [Int] = []
  private var reading: Task<Void, Never>?
  private let probe = Probe(Thermometer.self)

  /// A thermometer that begins to read.
  init(sensor: Sensor) {
    reading = Task(probe: "reading") { [weak self] in
      for await value in sensor.values {
        self?.values.append(value)
      }
    }
  }

  deinit { reading?.cancel() }
}
