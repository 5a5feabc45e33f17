import Memlab

@main struct OurLab: MemlabApp {
  static let scenarios = [cartReservation, cartReservationWeak, chatReconnect, unreadBadge]
    .map { $0.showing(Listing.all) }
  static let name = "our-lab"
}
