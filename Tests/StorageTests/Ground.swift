import FileSystem
import Glibc
import Model

/// A disk to test the contract on: the file system under test, and other programs that act on the same
/// disk.
protocol Ground {
    associatedtype Door: FileSystem
    associatedtype Pen: WorldPen

    var door: Door { get }
    /// Whether other processes may interfere for a moment, so that a check is worth repeating.
    var isReal: Bool { get }
    /// Whether files may have user attributes: not on a tmpfs before Linux 6.6.
    var hasAttributes: Bool { get }

    func save(_ file: Location, _ bytes: [UInt8])
    func overwrite(_ file: Location, _ bytes: [UInt8])
    func open(_ file: Location) -> Pen?
    func read(_ file: Location) -> [UInt8]?
    func delete(_ file: Location)
    func rename(_ from: Location, to: Location)
    func setMode(_ file: Location, _ mode: UInt32)
    func setAttribute(_ name: String, of file: Location, to value: [UInt8])
    func attribute(_ name: String, of file: Location) -> [UInt8]?
    func makeDirectory(_ directory: Location)
    /// Creates a link to an existing directory.
    func makeSymbolicLink(_ file: Location)
    func makeSpecial(_ file: Location)
    func save(name: [UInt8], in root: Root, _ bytes: [UInt8])
    func removeRoot(_ root: Root)
    func replaceRoot(_ root: Root)
}

/// A file of another program, open for writing.
protocol WorldPen {
    func write(_ bytes: [UInt8])
    func close()
}

// MARK: Reporting violations

/// A violation of the contract.
struct Violation: Error, CustomStringConvertible {
    let description: String
}

func require(_ isTrue: Bool, _ what: @autoclosure () -> String) throws {
    if !isTrue { throw Violation(description: what()) }
}

func require<Value: Equatable>(_ found: Value, is wanted: Value, _ what: String) throws {
    try require(found == wanted, "\(what): \(found) instead of \(wanted)")
}

func require<Value>(_ what: String, fails wanted: FileError, _ act: () throws(FileError) -> Value) throws {
    do {
        _ = try act()
    } catch {
        return try require(error, is: wanted, what)
    }
    throw Violation(description: "\(what): done instead of \(wanted)")
}

/// Waits until the condition is true, for up to ten seconds.
///
/// A test that starts a process forks: until the child runs its program, it has all open files of this
/// process. So a closed file may stay open a little longer, and nothing reports when it no longer is.
func eventually(_ isReal: Bool = true, _ isTrue: () -> Bool) -> Bool {
    let patience = ContinuousClock.now + .seconds(10)
    repeat {
        if isTrue() { return true }
        sched_yield()
    } while isReal && ContinuousClock.now < patience
    return false
}

// MARK: - Names

/// A file in the app's container.
func app(_ path: String) -> Location { location(.app, path) }
func group(_ path: String) -> Location { location(.group, path) }
func state(_ path: String) -> Location { location(.state, path) }

func location(_ root: Root, _ path: String) -> Location {
    guard let relative = RelativePath(path) else { preconditionFailure("no path: \(path)") }
    return Location(root, relative)
}

func directory(_ root: Root, _ path: String? = nil) -> Directory {
    Directory(root, path.flatMap { RelativePath($0) })
}

extension [UInt8] {
    static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Bytes that depend on their offset, so that a shifted or repeated part is detected.
    static func pattern(_ count: Int) -> [UInt8] { Array(longPattern.prefix(count)) }

    private static let longPattern = (0..<300_000).map { place in
        UInt8(truncatingIfNeeded: place ^ (place >> 8) &* 31 ^ (place >> 16) &* 7)
    }
}
