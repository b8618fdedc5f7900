public import FoundationEssentials
import Glibc

/// Reads documents in a widget's process: one file at a time, without a bridge, an agent or a profile.
///
/// ```swift
/// let reader = DocumentReader(container: group)
/// let budget = try reader.value(Budget.self, of: "budget.json")
/// ```
///
/// The bridge replaces a document's file as a whole, so its writes are always read completely. A program
/// that writes the file in place may be interrupted by the read: then this throws
/// ``ReadFailure/changing(_:)``. If the program pauses while it writes, the result may be a mixture of two
/// saves.
public struct DocumentReader: Sendable {
    /// The directory of the container; for a widget, the App Group container.
    public let container: String
    /// The largest size of a document in bytes; a larger one is not read.
    public let maxDocument: Int

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - container: The directory of the container.
    ///   - maxDocument: The largest size of a document in bytes; a larger one is not read.
    public init(container: String, maxDocument: Int = 8 << 20) {
        self.container = container
        self.maxDocument = maxDocument
    }

    /// Reads and decodes a document.
    ///
    /// Numbers are exact if the type has a `Decimal` or an integer, and rounded if it has a `Double`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - name: Its path inside the container, such as `budget.json` or `notes/today.json`.
    ///   - decoder: The decoder, with its strategies for dates and data.
    /// - Throws: ``ReadFailure``; only ``ReadFailure/absent(_:)`` means that there is no document.
    public func value<Value: Decodable>(
        _ type: Value.Type = Value.self,
        of name: String,
        decoder: JSONDecoder = JSONDecoder()
    ) throws(ReadFailure) -> Value {
        let bytes = try bytes(of: name)
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw .undecodable(name, error)
        }
    }

    /// Reads a document byte for byte.
    ///
    /// - Parameter name: Its path inside the container.
    /// - Throws: ``ReadFailure``; only ``ReadFailure/absent(_:)`` means that there is no document.
    public func bytes(of name: String) throws(ReadFailure) -> [UInt8] {
        let file = try open(name)
        defer { close(file) }
        return try bytes(of: file, name)
    }

    /// Opens each component of the path in turn, so that no link leads out of the container.
    private func open(_ name: String) throws(ReadFailure) -> Int32 {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let last = parts.last, !name.utf8.contains(0),
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else { throw .notAName(name) }
        var directory = unsafe Glibc.open(container, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A missing container does not show that its documents are missing.
        guard directory >= 0 else { throw .unreadable(name, errno: errno) }
        defer { close(directory) }
        for part in parts.dropLast() {
            let next = unsafe openat(directory, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw ReadFailure(name, errno: errno) }
            close(directory)
            directory = next
        }
        let file = unsafe openat(directory, last, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw ReadFailure(name, errno: errno) }
        return file
    }

    private func bytes(of file: Int32, _ name: String) throws(ReadFailure) -> [UInt8] {
        let before = try Self.status(of: file, name)
        guard before.st_mode & S_IFMT == S_IFREG else { throw .notAFile(name) }
        guard before.st_size <= maxDocument else {
            throw .tooLarge(name, bytes: Int64(before.st_size), limit: maxDocument)
        }
        var bytes = [UInt8](repeating: 0, count: Int(before.st_size))
        var count = 0
        while count < bytes.count {
            let part = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe read(file, buffer.baseAddress.map { unsafe $0 + count }, buffer.count - count)
            }
            if part < 0, errno == EINTR { continue }
            guard part >= 0 else { throw .unreadable(name, errno: errno) }
            guard part > 0 else { break }
            count += part
        }
        let after = try Self.status(of: file, name)
        let isSame =
            after.st_size == before.st_size && after.st_mtim.tv_sec == before.st_mtim.tv_sec
            && after.st_mtim.tv_nsec == before.st_mtim.tv_nsec
        guard isSame, count == bytes.count else { throw .changing(name) }
        return bytes
    }

    private static func status(of file: Int32, _ name: String) throws(ReadFailure) -> stat {
        var status = stat()
        guard unsafe fstat(file, &status) == 0 else { throw .unreadable(name, errno: errno) }
        return status
    }
}
