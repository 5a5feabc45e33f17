import MemlabKit
import MemlabPatterns
import MemlabPlatform

extension Scenario {
  /// `calendar-observer-cycle`: an observer that holds its owner.
  static let calendarObserverCycle = Scenario(
    id: "calendar-observer-cycle", title: "an observer that holds its owner",
    document: .structsAndThreads, place: "database.observeEventChanges",
    lesson: "07-delegates-and-observers",
    question: "The controller owns the database, because the delegate is weak. The database calls "
      + "back when an event changes. What is left when the controller is dropped?",
    hint: "Who holds the closure, and what does self.calendarView capture?",
    beliefs: [
      .nobody("The delegate is weak, and people assume that all references back are."),
      .global(
        "People know notification centres, which hold their observers as long as the app runs."),
    ],
    endings: [
      Ending(
        "drop", "the controller is dropped",
        expects: calendar(
          .leak, controller: .field("observers", of: "MyEventDatabase"),
          view: .field("calendarView", of: "CalendarViewController"),
          database: .field("database", of: "CalendarViewController"), drawnAfter: 1),
        explanation: "The controller holds the database, the database holds the closure, and the "
          + "closure holds self. The delegate is weak, so the controller had to own the database, "
          + "and that closed the cycle.",
        run: { try play($0) { $0.observe() } }
      )
      .claiming(
        "when the data changes, tell the calendar view to reload its decorations",
        original: "데이터가 변경되었을 때 캘린더 뷰에게 decoration view를 reload하라고 말해준다"
      ) { $0.metric("drawnBeforeDrop") == 1 },
      Ending(
        "local", "the closure captures the view alone, as the document's listing does",
        expects: calendar(.clean, drawnAfter: 0),
        explanation: "Now the database holds the view. The view does not hold the database, "
          + "because its delegate is weak. There is no cycle, so all three are deinitialised.",
        run: { try play($0) { $0.observeCapturingView() } }),
      Ending(
        "weak", "the closure captures self weakly",
        expects: calendar(.clean, drawnAfter: 0),
        explanation: "The observer may outlive the controller. Then it finds that self is nil.",
        run: { try play($0) { $0.observeWeakly() } }),
      Ending(
        "removed", "the observer is removed before the controller is dropped",
        expects: calendar(.clean, drawnAfter: 0),
        explanation: "Removing the observer cuts the cycle by hand. It leaks only where this call "
          + "is forgotten: it must happen on every way out of the screen.",
        run: { try play($0, removing: true) { $0.observe() } }),
      Ending(
        "app-wide", "the view alone is captured, and the database belongs to the app",
        expects: calendar(
          .leak, view: .field("observers", of: "MyEventDatabase"), database: .aGlobal,
          drawnAfter: 1),
        explanation: "There is no cycle. The database is meant to stay, but the view is not. An "
          + "object that outlives the screen keeps everything that its observers capture, and "
          + "draws a view that nobody sees. Capture the view weakly, or remove the observer.",
        run: { try play($0, isAppWide: true) { $0.observeCapturingView() } }
      )
      .asking(
        "The database belongs to the app, and its observer captures the calendar view alone. What "
          + "is left when the controller is dropped?"),
    ])

  private typealias Controller = CalendarObserverCycle.CalendarViewController
  private typealias Database = CalendarObserverCycle.MyEventDatabase

  private static func play(
    _ lab: Lab, removing removes: Bool = false, isAppWide: Bool = false, load: (Controller) -> Void
  ) throws {
    @Variable("controller") var controller: Controller?
    weak var database: Database?
    try lab.step("a controller with a database is created") {
      controller = Controller(
        database: isAppWide ? AppWide.keep(Database(), for: lab.ledger) : Database())
      database = controller?.database
    }
    try lab.step("viewDidLoad() is called") { controller.map(load) }
    try lab.step("an event is added") { database?.add(.june(6)) }
    lab.ledger.setMetric("drawnBeforeDrop", lab.ledger.notes(of: "days drawn:"))
    if removes { try lab.step("the observer is removed") { controller?.stopObserving() } }
    try lab.release("the controller is dropped") { controller = nil }
    let before = lab.ledger.notes(of: "days drawn:")
    try lab.step("another event is added") { database?.add(.june(7)) }
    lab.ledger.setMetric("drawnAfterDrop", lab.ledger.notes(of: "days drawn:") - before)
  }

  private static func calendar(
    _ verdict: Verdict, controller: DeclaredHolder? = nil, view: DeclaredHolder? = nil,
    database: DeclaredHolder? = nil, drawnAfter: Int
  ) -> Declaration {
    .one(
      verdict,
      ["CalendarViewController": controller, "CalendarView": view, "MyEventDatabase": database],
      metrics: ["drawnBeforeDrop": 1, "drawnAfterDrop": drawnAfter])
  }
}

/// The document's database, and the controller that listens to it.
enum CalendarObserverCycle {
  // snippet:database
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
  // snippet:end

  // snippet:code
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
  // snippet:end
}
