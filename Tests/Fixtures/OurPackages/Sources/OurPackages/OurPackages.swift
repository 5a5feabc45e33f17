import Memlab

@main struct OurPackages: MemlabApp {
  static let scenarios = [
    debouncedPrices, debouncedPricesWeak, searchPipeline, searchPipelineWeak, rowObservation,
    rowObservationWeak,
  ]
}
