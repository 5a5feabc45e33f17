#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

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
