@_exported public import OpenCombine

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// What Combine and Foundation bring beside OpenCombine's publishers, and the scenarios need. The
// files next to this one are those of `Patterns`: a run loop and a timer that follow memlab's clock.

// Combine declares this for everybody; its stand-in has to.
// swift-format-ignore: AvoidRetroactiveConformances
extension JSONDecoder: @retroactive TopLevelDecoder {}
