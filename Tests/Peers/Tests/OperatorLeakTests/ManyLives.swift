import LeakCheck

/// Expects that nothing is left of a life, two hundred times: ten lives to a check.
func expectNoLeaksOfManyLives(_ life: () async throws -> Void) async rethrows {
  for _ in 0..<20 {
    try await expectNoLeaks {
      for _ in 0..<10 { try await life() }
    }
  }
}
