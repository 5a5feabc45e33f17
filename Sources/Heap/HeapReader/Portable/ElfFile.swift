import MemlabHeapModel

/// The file of a program, on Linux; elsewhere no program is watched, so no file is read.
package enum ElfFile {
  /// No, whatever the files.
  package static func isUnstripped(_ file: String, of program: String) -> Bool { false }
}
