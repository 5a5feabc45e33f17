import MemlabExercises
import MemlabKit

/// Wrong solutions of exercise 12.
enum Wrong12: String, Mistakes {
  case none, asShipped, guardsInLoop, cancelsNothing, strongSelf, unowned, readsOnce, readsNothing
  case swallowsSome, exits, traps, unprobed, detached, keepsAll, noProbe, polls, cancelsEarly
  case fiveValues, cancelsWhenAsked, notesInTheLast, ignoresRepeats, onlyFirst, clearsAtEnd
  case cancelsAll, firstComesFirst, unownedAndCancels, unsafeAndCancels, keepsTasks, sleepsFirst
  case dropsLast, iterates, hasALog, guardsAndCancels

  nonisolated(unsafe) static var tasks: [Task<Void, Never>?] = []
  nonisolated(unsafe) static var everything: [Thermometer] = []
  nonisolated(unsafe) static weak var last: Thermometer?
  nonisolated(unsafe) static var made = 0

  static let all = solutions(
    of: ThermometerJudge<Thermometer>.exercise,
    [
      "What makes self strong, and for how long?": [.asShipped, .strongSelf],
      "The task must end with the event itself, not at the next value.": [
        .guardsInLoop, .cancelsNothing,
      ],
      "the reference is weak": [.unowned, .unownedAndCancels],
      "Every value must be noted as long as the thermometer lives.": [.readsOnce],
      "Every value must be noted": [
        .readsNothing, .swallowsSome, .fiveValues, .notesInTheLast, .ignoresRepeats, .onlyFirst,
        .clearsAtEnd, .polls, .cancelsEarly, .cancelsAll, .firstComesFirst, .dropsLast,
      ],
      "Swift says: no thermometer": [.traps],
      "No task reading was counted": [.unprobed, .detached],
      "No Thermometer was counted": [.noProbe],
      "Thermometer is still alive at the end": [.cancelsWhenAsked],
      "An unowned reference to an object that is gone": [.unsafeAndCancels],
      "of memory stay": [.keepsTasks],
      "Nothing in this exercise takes time": [.sleepsFirst],
    ], right: [.iterates, .hasALog, .guardsAndCancels])

  final class Thermometer: ThermometerUnderStudy {
    private var noted: [Int] = []
    private let log = Box<[Int]>([])
    var values: [Int] {
      if now == .hasALog { return log.value }
      if now == .cancelsWhenAsked { reading?.cancel() }
      return noted
    }
    private var reading: Task<Void, Never>?
    private let number: Int
    private let probe = makeProbe(of: Thermometer.self)

    init(sensor: Sensor) {
      number = made
      made += 1
      if now == .keepsAll { everything.append(self) }
      last = self
      reading = start(sensor)
      if now == .cancelsEarly { reading?.cancel() }
      if [.cancelsAll, .firstComesFirst, .keepsTasks].contains(now) { tasks.append(reading) }
    }

    private func start(_ sensor: Sensor) -> Task<Void, Never> {
      switch now {
      case .unprobed: Task { [weak self] in for await value in sensor.values { self?.note(value) } }
      case .detached:
        Task.detached { [weak self] in for await value in sensor.values { self?.note(value) } }
      case .asShipped:
        Task(probe: "reading") { [weak self] in
          guard let self else { return }
          for await value in sensor.values { self.note(value) }
        }
      case .iterates:
        Task(probe: "reading") { [weak self] in
          var values = sensor.values.makeAsyncIterator()
          while let value = await values.next() { self?.note(value) }
        }
      case .hasALog:
        Task(probe: "reading") { [log] in
          for await value in sensor.values { log.value.append(value) }
        }
      case .unsafeAndCancels:
        Task(probe: "reading") { [unowned(unsafe) self] in
          for await value in sensor.values { self.note(value) }
        }
      case .sleepsFirst:
        Task(probe: "reading") { [weak self] in
          for await value in sensor.values {
            try? await Task.sleep(for: .milliseconds(10))
            self?.note(value)
          }
        }
      case .dropsLast:
        Task(probe: "reading") { [weak self] in
          var last: Int?
          for await value in sensor.values {
            if let last { self?.note(last) }
            last = value
          }
        }
      case .guardsInLoop, .guardsAndCancels:
        Task(probe: "reading") { [weak self] in
          for await value in sensor.values {
            guard let self else { return }
            self.note(value)
          }
        }
      case .strongSelf, .cancelsWhenAsked:
        Task(probe: "reading") { for await value in sensor.values { self.note(value) } }
      case .unowned, .unownedAndCancels:
        Task(probe: "reading") { [unowned self] in
          for await value in sensor.values { self.note(value) }
        }
      case .traps:
        Task(probe: "reading") { [weak self] in
          for await value in sensor.values { self?.note(value) }
          if self == nil { fatalError("no thermometer") }
        }
      case .fiveValues:
        Task(probe: "reading") { for await value in sensor.values.prefix(5) { self.note(value) } }
      case .notesInTheLast:
        Task(probe: "reading") { for await value in sensor.values { last?.note(value) } }
      case .clearsAtEnd:
        Task(probe: "reading") { [weak self] in
          for await value in sensor.values { self?.note(value) }
          self?.noted = []
        }
      case .readsNothing: Task(probe: "reading") {}
      case .polls: Task(probe: "reading") { try? await Task.sleep(for: .seconds(3)) }
      default:
        Task(probe: "reading") { [weak self] in
          for await value in sensor.values { self?.note(value) }
        }
      }
    }

    private func note(_ value: Int) {
      switch now {
      case .exits: Sabotage.leave()
      case .readsOnce where !noted.isEmpty: return
      case .ignoresRepeats where noted.last == value: return
      case .onlyFirst where number > 0: return
      case .swallowsSome where noted.count == 3: return
      default: noted.append(value)
      }
    }

    deinit {
      switch now {
      case .guardsInLoop, .cancelsNothing, .unowned: break
      case .cancelsAll: for task in tasks { task?.cancel() }
      case .firstComesFirst: tasks.removeFirst()?.cancel()
      default: reading?.cancel()
      }
    }
  }
}
