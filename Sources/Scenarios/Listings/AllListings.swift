// swift-format-ignore-file
// The lists of this folder; renewed by 'make record'.

extension Listing {
  static let all: [Listing] = [
    patternsLazyWeakMapTableListing,
    patternsStrongMapTableListing,
    patternsWeakMapTableListing,
    capturedDependencyListing,
    capturedOwnerListing,
    dataCacheListing,
    deinitFinishListing,
    onTerminationListing,
    strongSelfListing,
    weakSelfGuardListing,
    broadcastDemoListing,
    broadcastDroppedListing,
    broadcastStreamListing,
    broadcastStrongTerminationListing,
    sharedStreamSplitListing,
    assignOnSelfListing,
    assignToPublishedListing,
    cancellableReplacedListing,
    cancellableStopListing,
    flatMapCapturedDatabaseListing,
    flatMapMethodReferenceListing,
    flatMapOwnMethodListing,
    flatMapWeakSelfListing,
    sinkStrongSelfListing,
    sinkStrongSelfOneShotListing,
    sinkWeakSelfListing,
    weakAssignListing,
    reactorDisposeBagListing,
    reactorDroppedConnectionListing,
    reactorMutateSelfListing,
    strongMapTableListing,
    structInoutRaceListing,
  ].flatMap(\.self)
}
