#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What a touch of a day does; the base of all kinds of selection.
open class UICalendarSelection {
  init() {}

  func touch(_ date: DateComponents) {}
}

/// The selection of one day at a time.
public final class UICalendarSelectionSingleDate: UICalendarSelection {
  /// Who may refuse a day, and is told of the one that is selected. Weak, as in UIKit.
  public weak var delegate: (any UICalendarSelectionSingleDateDelegate)?
  /// The day that is selected. Setting it tells nobody.
  public var selectedDate: DateComponents?

  /// A selection with nothing selected.
  public init(delegate: (any UICalendarSelectionSingleDateDelegate)?) {
    self.delegate = delegate
  }

  /// Selects a day, or none, without telling anybody.
  public func setSelected(_ date: DateComponents?, animated: Bool) {
    selectedDate = date
  }

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
