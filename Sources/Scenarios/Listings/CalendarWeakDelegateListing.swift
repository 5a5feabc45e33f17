// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Calendar/CalendarWeakDelegate.swift; renewed by 'make record'.

extension Listing {
  static let calendarWeakDelegateListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Calendar/CalendarWeakDelegate.swift", line: 105,
      code: #"""
      class MyEventDatabase: UICalendarViewDelegate {
        private let probe = Probe(MyEventDatabase.self)

        func calendarView(
          _ calendarView: UICalendarView, decorationFor: DateComponents
        ) -> UICalendarView.Decoration? {
          print("days asked:")
          return .default()
        }
      }

      class CalendarViewController: UICalendarSelectionSingleDateDelegate {
        let calendarView = CalendarView()
        private var database: MyEventDatabase?
        private let probe = Probe(CalendarViewController.self)

        func loadWithLocalDatabase() {
          let database = MyEventDatabase()
          calendarView.delegate = database
        }

        func loadWithStoredDatabase() {
          database = MyEventDatabase()
          calendarView.delegate = database
        }

        func loadWithSelection() {
          let dateSelection = UICalendarSelectionSingleDate(delegate: self)
          calendarView.selectionBehavior = dateSelection
        }

        func dateSelection(
          _ selection: UICalendarSelectionSingleDate, didSelectDate dateComponents: DateComponents?
        ) {
          print("selections told:")
        }
      }
      """#),
  ]
}
