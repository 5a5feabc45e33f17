/// Which module this is.
public let module = "TestSupport"
