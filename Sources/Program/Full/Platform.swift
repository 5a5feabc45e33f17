// The C library and Foundation, for every file of this room and for those that import it.
@_exported public import MemlabPlatform
