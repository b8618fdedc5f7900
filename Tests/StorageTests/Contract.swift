import FileSystem
import Model
import Testing

/// One rule of the contract, which both implementations must satisfy.
struct Check: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (any Ground) throws -> Void

    init(_ sentence: String, _ run: @escaping @Sendable (any Ground) throws -> Void) {
        testDescription = sentence
        self.run = run
    }
}

/// The contract of `FileSystem`. Each new rule needs a check here and a fault in `DoorFault`.
enum Contract {
    static let all = looking + reading + writing + attributes + moving + directories + roots
}

extension FileSystem {
    /// Opens a file, calls `body`, and closes it.
    func with<Result>(
        _ file: Location,
        _ act: (Handle) throws -> Result
    ) throws -> Result {
        let handle = try open(file)
        defer { close(handle) }
        return try act(handle)
    }

    func contents(_ file: Location, limit: Int = 1 << 20) throws -> [UInt8] {
        try with(file) { try read($0, limit: limit) }
    }

    /// Creates a file through the file system under test.
    func make(_ file: Location, _ bytes: [UInt8]) throws {
        let handle = try create(file)
        defer { close(handle) }
        try write(bytes, to: handle)
    }
}
