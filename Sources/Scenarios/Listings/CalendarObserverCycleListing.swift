// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Calendar/CalendarObserverCycle.swift; renewed by 'make record'.

extension Listing {
  static let calendarObserverCycleListing: [Listing] = [
    Listing(
      "database", path: "Sources/Scenarios/Calendar/CalendarObserverCycle.swift", line: 114,
      code: #"""
      class MyEventDatabase: UICalendarViewDelegate, @unchecked Sendable {
        private var observers: [(([DateComponents]) -> Void)?] = []
        private let probe = Probe(MyEventDatabase.self)

        func observeEventChanges(_ observer: @escaping ([DateComponents]) -> Void) -> Int {
          observers.append(observer)
          return observers.count - 1
        }

        func removeObserver(_ index: Int) { observers[index] = nil }

        func add(_ event: DateComponents) {
          for observer in observers { observer?([event]) }
        }

        func calendarView(
          _ calendarView: UICalendarView, decorationFor: DateComponents
        ) -> UICalendarView.Decoration? { .default() }
      }
      """#),
    Listing(
      "code", path: "Sources/Scenarios/Calendar/CalendarObserverCycle.swift", line: 136,
      code: #"""
      class CalendarViewController {
        let calendarView = CalendarView()
        let database: MyEventDatabase
        private var observer: Int?
        private let probe = Probe(CalendarViewController.self)

        init(database: MyEventDatabase) {
          self.database = database
          calendarView.delegate = database
        }

        func observe() {
          observer = database.observeEventChanges { changedDates in
            self.calendarView.reloadDecorations(forDateComponents: changedDates, animated: true)
          }
        }

        func observeWeakly() {
          observer = database.observeEventChanges { [weak self] changedDates in
            self?.calendarView.reloadDecorations(forDateComponents: changedDates, animated: true)
          }
        }

        func observeCapturingView() {
          observer = database.observeEventChanges { [calendarView] changedDates in
            calendarView.reloadDecorations(forDateComponents: changedDates, animated: true)
          }
        }

        func stopObserving() {
          observer.map(database.removeObserver)
        }
      }
      """#),
  ]
}
