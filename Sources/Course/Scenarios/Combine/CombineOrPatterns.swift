// Combine where there is one, and else the small one of Patterns, for all files of this module.
#if canImport(Combine)
  @_exported public import Combine
#else
  @_exported public import MemlabPatterns
#endif
