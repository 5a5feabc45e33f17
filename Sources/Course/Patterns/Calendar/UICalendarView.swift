#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A view of a month, whose days are decorated by a delegate and selected by the user.
///
/// A small part of UIKit's class, under UIKit's names and with UIKit's ownership. It draws nothing,
/// and is not bound to the main actor, so that every study can call it. It is open, so that a study
/// can count its views.
open class UICalendarView {
  /// The mark of a day.
  public struct Decoration: Sendable {
    private init() {}

    /// A filled circle.
    public static func `default`() -> Decoration { Decoration() }
  }

  /// The calendar that gives the month its days.
  public var calendar = Calendar(identifier: .gregorian)
  /// A day of the month that is on the screen.
  public var visibleDateComponents: DateComponents {
    get { DateComponents(year: visible.year, month: visible.month, day: visible.day) }
    set {
      visible.year = newValue.year ?? visible.year
      visible.month = newValue.month ?? visible.month
      visible.day = newValue.day ?? visible.day
    }
  }
  /// The view asks it for decorations. Weak, as in UIKit: another object must own it.
  public weak var delegate: (any UICalendarViewDelegate)?
  /// What a touch selects. Strong: the view owns it.
  public var selectionBehavior: UICalendarSelection?
  /// The days of the month whose decorations are on the screen.
  public private(set) var decoratedDays: [Int] = []

  // Not DateComponents: its many unused fields keep old bytes, which a reader of the heap could
  // mistake for references.
  private var visible = (year: 1970, month: 1, day: 1)

  /// A view of January 1970.
  public init() {}

  /// Lays the view out, as UIKit does before it is first seen: asks for each day's decoration.
  open func layoutSubviews() {
    let days = calendar.date(from: visibleDateComponents).flatMap {
      calendar.range(of: .day, in: .month, for: $0)
    }
    reloadDecorations(forDateComponents: (days ?? 0..<0).map(day), animated: false)
  }

  /// Asks for the decorations of these days again.
  ///
  /// - Parameters:
  ///   - dates: the days that have changed.
  ///   - animated: whether the change is animated; it has no effect here.
  open func reloadDecorations(forDateComponents dates: [DateComponents], animated: Bool) {
    for date in dates {
      guard let day = date.day else { continue }
      decoratedDays.removeAll { $0 == day }
      if delegate?.calendarView(self, decorationFor: date) != nil { decoratedDays.append(day) }
    }
  }

  /// Does what UIKit does when the user touches a day.
  public func touch(_ date: DateComponents) { selectionBehavior?.touch(date) }

  private func day(_ number: Int) -> DateComponents {
    var day = visibleDateComponents
    day.day = number
    return day
  }
}

/// Says how the days of a calendar view are decorated.
public protocol UICalendarViewDelegate: AnyObject {
  /// The decoration of a day; nil for none.
  func calendarView(
    _ calendarView: UICalendarView, decorationFor dateComponents: DateComponents
  ) -> UICalendarView.Decoration?
}

/// The base class of all kinds of selection: what happens when the user touches a day.
open class UICalendarSelection {
  /// A selection without a day.
  init() {}

  /// The user touches a day.
  func touch(_ date: DateComponents) {}
}

/// The selection of one day at a time.
public final class UICalendarSelectionSingleDate: UICalendarSelection {
  /// May refuse a day, and is told which one is selected. Weak, as in UIKit.
  public weak var delegate: (any UICalendarSelectionSingleDateDelegate)?
  /// The selected day. Setting it does not call the delegate.
  public var selectedDate: DateComponents?

  /// A selection with nothing selected.
  public init(delegate: (any UICalendarSelectionSingleDateDelegate)?) { self.delegate = delegate }

  /// Selects a day, or none, without calling the delegate.
  public func setSelected(_ date: DateComponents?, animated: Bool) { selectedDate = date }

  override func touch(_ date: DateComponents) {
    guard delegate?.dateSelection(self, canSelectDate: date) ?? true else { return }
    selectedDate = date
    delegate?.dateSelection(self, didSelectDate: date)
  }
}

/// Decides about the selection of one day.
public protocol UICalendarSelectionSingleDateDelegate: AnyObject {
  /// Whether the user may select this day.
  func dateSelection(
    _ selection: UICalendarSelectionSingleDate, canSelectDate dateComponents: DateComponents?
  ) -> Bool

  /// The user has selected this day, or none.
  func dateSelection(
    _ selection: UICalendarSelectionSingleDate, didSelectDate dateComponents: DateComponents?)
}

extension UICalendarSelectionSingleDateDelegate {
  /// Allows each day.
  public func dateSelection(
    _ selection: UICalendarSelectionSingleDate, canSelectDate dateComponents: DateComponents?
  ) -> Bool { true }
}
