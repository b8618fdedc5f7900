import Foundation

/// Which one it is about; libFuzzer's own arguments leave no room for a name.
private let target = FuzzTarget(rawValue: ProcessInfo.processInfo.environment["FUZZ_TARGET"] ?? "")

/// What libFuzzer calls. It takes the end of the program for a find, and keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard let target else { fatalError("FUZZ_TARGET names no target") }
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    if let violation = target.violation(of: bytes) { fatalError(violation) }
    return 0
}
