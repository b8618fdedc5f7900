import FileSystem
import Model
import Testing

/// One sentence of the contract, which both halves of the door must keep.
struct Check: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (any Ground) throws -> Void

    init(_ sentence: String, _ run: @escaping @Sendable (any Ground) throws -> Void) {
        testDescription = sentence
        self.run = run
    }
}

/// What `FileSystem` promises. New sentence, new line; its mutant goes into `DoorFault`.
enum Contract {
    static let all = looking + reading + writing + attributes + moving + directories + roots
}

extension FileSystem {
    /// Opens, does and closes.
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

    /// A file made through the door.
    func make(_ file: Location, _ bytes: [UInt8]) throws {
        let handle = try create(file)
        defer { close(handle) }
        try write(bytes, to: handle)
    }
}
