import Foundation
import MemlabPatterns
import Testing

@Suite("A calendar view") struct CalendarTests {
  private final class Database: UICalendarViewDelegate {
    var days: [Int?] = []

    func calendarView(
      _ calendarView: UICalendarView, decorationFor date: DateComponents
    ) -> UICalendarView.Decoration? {
      days.append(date.day)
      return date.day == 6 ? .default() : nil
    }
  }

  private final class Listener: UICalendarSelectionSingleDateDelegate {
    var selected: [Int?] = []

    func dateSelection(
      _ selection: UICalendarSelectionSingleDate, canSelectDate date: DateComponents?
    ) -> Bool { date?.day != 13 }

    func dateSelection(
      _ selection: UICalendarSelectionSingleDate, didSelectDate date: DateComponents?
    ) { selected.append(date?.day) }
  }

  private let view = UICalendarView()

  init() { view.visibleDateComponents = DateComponents(year: 2024, month: 2, day: 1) }

  @Test("asks its delegate for each day of the month that is on the screen") func layout() {
    let database = Database()
    view.delegate = database
    view.layoutSubviews()
    #expect(database.days == Array(1...29))
    #expect(view.decoratedDays == [6])
  }

  @Test("asks again for the days that have changed, and for no others") func reload() {
    let database = Database()
    view.delegate = database
    view.reloadDecorations(forDateComponents: [DateComponents(day: 7)], animated: true)
    #expect(database.days == [7])
  }

  @Test("does not hold its delegate") func delegate() {
    var database: Database? = Database()
    view.delegate = database
    database = nil
    #expect(view.delegate == nil)
    view.layoutSubviews()
    #expect(view.decoratedDays.isEmpty)
  }

  @Test("selects the day that is touched, unless the selection's delegate refuses it")
  func selection() {
    let listener = Listener()
    let selection = UICalendarSelectionSingleDate(delegate: listener)
    view.selectionBehavior = selection
    for day in [6, 13] { view.touch(DateComponents(day: day)) }
    #expect(selection.selectedDate?.day == 6)
    #expect(listener.selected == [6])
  }

  @Test("owns its selection, which does not hold its delegate and tells it of touches alone")
  func ownership() {
    var listener: Listener? = Listener()
    weak var selection: UICalendarSelectionSingleDate?
    do {
      let made = UICalendarSelectionSingleDate(delegate: listener)
      view.selectionBehavior = made
      selection = made
    }
    selection?.setSelected(DateComponents(day: 8), animated: false)
    #expect(listener?.selected == [])
    listener = nil
    #expect(selection?.selectedDate?.day == 8)
    #expect(selection?.delegate == nil)
  }
}
