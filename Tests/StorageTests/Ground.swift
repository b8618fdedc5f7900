import FileSystem
import Glibc
import Model

/// A disk to try the contract on: the door, and the world that acts behind it.
protocol Ground {
    associatedtype Door: FileSystem
    associatedtype Pen: WorldPen

    var door: Door { get }
    /// Other processes may be in the way for a moment: worth a second look.
    var isReal: Bool { get }
    /// Files may have attributes of the user's: not on a tmpfs before Linux 6.6.
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
    /// One that leads to a directory that is there.
    func makeSymbolicLink(_ file: Location)
    func makeSpecial(_ file: Location)
    func save(name: [UInt8], in root: Root, _ bytes: [UInt8])
    func removeRoot(_ root: Root)
    func replaceRoot(_ root: Root)
}

/// Somebody else's file, open for writing.
protocol WorldPen {
    func write(_ bytes: [UInt8])
    func close()
}

// MARK: - Saying what is wrong

/// A door that does not keep the contract.
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

/// Waits until it is true, for as long as ten seconds.
///
/// A test that starts a process forks: until that child runs its program it holds every file that is open
/// here. So what was closed may be open a little longer, and nobody tells when it no longer is.
func eventually(_ isReal: Bool = true, _ isTrue: () -> Bool) -> Bool {
    let patience = ContinuousClock.now + .seconds(10)
    repeat {
        if isTrue() { return true }
        sched_yield()
    } while isReal && ContinuousClock.now < patience
    return false
}

// MARK: - Names

/// Of a file in the app's container.
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

    /// Bytes that tell where they are, so that a shifted or repeated piece shows.
    static func pattern(_ count: Int) -> [UInt8] { Array(longPattern.prefix(count)) }

    private static let longPattern = (0..<300_000).map { place in
        UInt8(truncatingIfNeeded: place ^ (place >> 8) &* 31 ^ (place >> 16) &* 7)
    }
}
