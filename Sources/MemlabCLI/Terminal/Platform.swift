// The C library of the platform, for every file of this room and for those that import it. What
// else differs between platforms is below.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

/// What the C library does, where its name alone would mean something else in the code that calls
/// it.
enum CLibrary {
  /// `write(2)`.
  ///
  /// - Returns: the number of bytes that were written, or a negative number; then `errno` says why.
  static func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes, count)
    #elseif canImport(Musl)
      Musl.write(descriptor, bytes, count)
    #else
      Darwin.write(descriptor, bytes, count)
    #endif
  }
}
