import MemlabKit
import MemlabPatterns
import MemlabPlatform

extension Scenario {
  /// `calendar-weak-delegate`: a delegate that nobody owns.
  static let calendarWeakDelegate = Scenario(
    id: "calendar-weak-delegate", title: "a delegate that nobody owns",
    document: .structsAndThreads, place: "calendarView.delegate = database",
    lesson: "07-delegates-and-observers",
    question: "viewDidLoad() makes a database and sets it as the calendar view's delegate. The "
      + "view draws thirty days. How often is the database asked?",
    hint: "delegate is weak. Who else holds the database when viewDidLoad() has returned?",
    beliefs: [.cycle("The controller holds the view, and the view calls the controller.")],
    next: "calendar-observer-cycle",
    endings: [
      Ending(
        "local", "the database is a local constant, as in the document",
        expects: .one(
          .clean, ["CalendarViewController": nil, "CalendarView": nil, "MyEventDatabase": nil],
          metrics: ["daysAsked": 0, "daysDecorated": 0, "selectionsTold": 0]),
        explanation: "The constant's scope ends when viewDidLoad() returns. The database is "
          + "deinitialised, and the delegate is nil before the first day is drawn. Nothing leaks, "
          + "and nothing works."
      ) { lab in try play(lab) { $0.loadWithLocalDatabase() } }
      .claiming(
        "to show decorations, make a delegate and set it as the calendar view's delegate",
        original: "커스텀 객체를 calendar view의 delegate로 놓는다",
        failsBecause: "the view does not hold its delegate, and here nobody else does"
      ) { $0.metric("daysDecorated") > 0 },
      Ending(
        "stored", "the controller keeps the database in a property",
        expects: .one(
          .clean, ["CalendarViewController": nil, "CalendarView": nil, "MyEventDatabase": nil],
          metrics: ["daysAsked": 30, "daysDecorated": 30, "selectionsTold": 0]),
        explanation: "The controller owns both, and the weak reference between them keeps neither "
          + "alive. All three are deinitialised with the controller."
      ) { lab in try play(lab) { $0.loadWithStoredDatabase() } }
      .claiming(
        "to show decorations, make a delegate and set it as the calendar view's delegate",
        original: "커스텀 객체를 calendar view의 delegate로 놓는다"
      ) { $0.metric("daysDecorated") == 30 },
      Ending(
        "self", "the controller makes itself the delegate of the selection",
        expects: .one(
          .clean, ["CalendarViewController": nil, "CalendarView": nil],
          metrics: ["daysAsked": 0, "daysDecorated": 0, "selectionsTold": 1]),
        explanation: "The controller holds the view, the view holds the selection, and the "
          + "selection holds its delegate weakly. There is no cycle, and the controller lives as "
          + "long as it is needed."
      ) { lab in try play(lab) { $0.loadWithSelection() } }
      .claiming(
        "make a selection and its delegate, and assign it to the view's selectionBehavior",
        original: "캘린더 뷰의 `selectionBehavior`에 할당한다"
      ) { $0.metric("selectionsTold") == 1 && $0.object("CalendarViewController").alive == 0 }
      .asking(
        "The controller sets itself as the delegate of a selection that its own view holds. Is "
          + "the controller deinitialised?"),
    ])

  private static func play(
    _ lab: Lab, load: (CalendarWeakDelegate.CalendarViewController) -> Void
  ) throws {
    @Variable("controller") var controller: CalendarWeakDelegate.CalendarViewController?
    try lab.step("a controller is created") { controller = .init() }
    try lab.step("viewDidLoad() is called") { controller.map(load) }
    try lab.step("the view is laid out") { controller?.calendarView.layoutSubviews() }
    try lab.step("the user touches the 6th") { controller?.calendarView.touch(.june(6)) }
    let decorated = controller?.calendarView.decoratedDays.count ?? 0
    try lab.release("the controller is dropped") { controller = nil }
    lab.ledger.setMetrics([
      "daysAsked": lab.ledger.notes(of: "days asked:"), "daysDecorated": decorated,
      "selectionsTold": lab.ledger.notes(of: "selections told:"),
    ])
  }
}

/// The document's delegates, in a controller.
enum CalendarWeakDelegate {
  // snippet:code
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
  // snippet:end
}

/// Counts what the delegates print, in the step that it happens in.
private func print(_ what: String) { Ledger.current?.note(what) }
