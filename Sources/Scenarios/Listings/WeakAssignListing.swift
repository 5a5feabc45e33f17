// swift-format-ignore-file
// Copies of what is marked in Sources/Scenarios/Combine/WeakAssign.swift; renewed by 'make record'.

extension Listing {
  static let weakAssignListing: [Listing] = [
    Listing(
      "code", path: "Sources/Scenarios/Combine/WeakAssign.swift", line: 79,
      code: #"""
      func load() {
        state = .loading

        cancellable =
          session
          .dataTaskPublisher(for: url)
          .map(\.data)
          .decode(type: Model.self, decoder: decoder)
          .map(State.loaded)
          .catch { error in
            Just(.failed(error))
          }
          .receive(on: DispatchQueue.main)
          .weakAssign(to: \.state, on: self)
      }
      """#),
    Listing(
      "extension", path: "Sources/Scenarios/Combine/WeakAssign.swift", line: 99,
      code: #"""
      extension Publisher where Failure == Never {
        func weakAssign<T: AnyObject>(
          to keyPath: ReferenceWritableKeyPath<T, Output>,
          on object: T
        ) -> AnyCancellable {
          sink { [weak object] value in
            object?[keyPath: keyPath] = value
          }
        }
      }
      """#),
  ]
}
