import CMemlabProcess
package import MemlabHeapModel
import MemlabRuntimeABI

extension HeapSnapshot {
  /// The task-local variables by whose values some tasks keep objects: the variable's name by the
  /// qualified name of the class, or of a collection's storage. To be asked while the heap is read.
  ///
  /// A task keeps each value behind the address of its variable's `TaskLocal` and the value's type:
  /// <https://github.com/swiftlang/swift/blob/main/include/swift/ABI/TaskLocal.h>.
  package func taskLocals(of tasks: [HeapTask]) -> [String: String] {
    var names: [String: String] = [:]
    for task in tasks {
      guard let block = survey.block(at: task.address) else { continue }
      let slabs = survey.edges.edges(of: block).filter { survey.edges.kinds[$0] == .slab }
      for part in [block] + slabs.map({ Int(survey.edges.targets[$0]) }) {
        survey.forEachTaskLocal(in: part) { type, variable in names[type] = variable }
      }
    }
    return names
  }
}

extension Survey {
  fileprivate func forEachTaskLocal(in part: Int, _ body: (_ type: String, String) -> Void) {
    let region = blocks.region(part)
    blocks.forEachReference(in: region) { value, place in
      guard kinds[value] == .instance || kinds[value] == .buffer, let type = typeName(of: value),
        let key = region.word(at: place &- abi.task.localKey), let variable = taskLocal(at: key)
      else { return }
      body(type, variable)
    }
  }

  // The object of a variable is made when it is used for the first time, or is part of the program.
  private func taskLocal(at address: UInt) -> String? {
    let name: String?
    if let block = block(at: address) {
      guard typeName(of: block)?.hasPrefix(abi.task.localType) == true else { return nil }
      let variable = segments.all.lazy.filter { $0.is_writable == 1 && !$0.isCore }
        .compactMap { segment in self.place(of: block, in: segment.region) }.first
      name = variable.flatMap(Symbolizer.shared.name)
    } else {
      guard segments.segment(at: address)?.is_writable == 1 else { return nil }
      name = Symbolizer.shared.name(at: address)
    }
    guard let name, let dollar = name.lastIndex(of: "$") else { return nil }
    return String(name[..<dollar] + name[name.index(after: dollar)...])
  }

  private func place(of block: Int, in region: Region) -> UInt? {
    var found: UInt?
    blocks.forEachReference(in: region) { target, place in
      if target == block { found = found ?? place }
    }
    return found
  }
}
