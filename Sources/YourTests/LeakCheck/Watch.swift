import Testing

/// Hands over an object that must be gone when the body of the check around it has ended.
///
/// - Parameter object: the object; it is not kept.
/// - Returns: the same object.
@discardableResult
public func watch<Object: AnyObject>(
  _ object: Object, fileID: String = #fileID, filePath: String = #filePath, line: Int = #line,
  column: Int = #column
) -> Object {
  let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  if let token = ScopeToken.current {
    token.scope.watch(object, at: place)
  } else {
    TestIssue.record(
      LeakReport(
        failure: "watch(_:) was called outside of a check. Call it in the body of expectNoLeaks, "
          + "in a test with .noLeaks, or in a task that one of them has created. What a queue, "
          + "a thread or an event loop calls belongs to none: hand the object over before."),
      at: place)
  }
  return object
}
