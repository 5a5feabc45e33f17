// Its regions and block lists are what every file of this module works with.
@_exported public import MemlabHeapScan
