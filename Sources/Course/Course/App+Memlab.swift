package import MemlabCLI
import MemlabExercises
import MemlabFull
package import MemlabKit
package import MemlabScenarios
import MemlabWitness

extension App {
  /// memlab itself: the catalog, and the course that it belongs to.
  package static let memlab = App(
    scenarios: Catalog.scenarios.map {
      $0.showing(Catalog.listings).knowing(Catalog.knownWays[$0.id] ?? [:])
    },
    course: Course(
      lessons: Catalog.lessons, exercises: { Exercises.all },
      inventory: { Catalog.inventory.map { $0.showing(Catalog.listings) } }),
    heap: RealHeap.self, commands: Commands.full)
}

extension Catalog {
  /// The code under study of all scenarios, as it was when this was built.
  package static let listings = Listing.all

  /// The folders in `Lessons/`, in order: those that scenarios name, and two without scenarios.
  package static let lessons: [String] =
    Set(scenarios.compactMap(\.lesson) + ["09-your-own-project", "10-a-server-that-grows"]).sorted()
}
