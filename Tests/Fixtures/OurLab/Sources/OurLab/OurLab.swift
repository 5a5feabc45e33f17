import Memlab

@main struct OurLab: MemlabApp {
  static let scenarios = [cartReservation, cartReservationWeak, chatReconnect]
    .map { $0.showing(Listing.all) }
  static let name = "our-lab"
}
