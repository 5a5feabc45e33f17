import MemlabKit
import MemlabPatterns
import MemlabPlatform

/// A counted calendar view that shows June 2022, the document's month of thirty days.
final class CalendarView: UICalendarView {
  private let probe = Probe(CalendarView.self)

  override init() {
    super.init()
    visibleDateComponents = .june(6)
  }

  override func reloadDecorations(forDateComponents dates: [DateComponents], animated: Bool) {
    super.reloadDecorations(forDateComponents: dates, animated: animated)
    for _ in dates { Ledger.current?.note("days drawn:") }
  }
}

extension DateComponents {
  /// A day of June 2022.
  static func june(_ day: Int) -> DateComponents {
    DateComponents(calendar: Calendar(identifier: .gregorian), year: 2022, month: 6, day: day)
  }
}
