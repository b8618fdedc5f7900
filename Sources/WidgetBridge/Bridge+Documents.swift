import BridgeRuntime
public import FoundationEssentials
import Model

extension Bridge {
    /// Every document that is known, in order of their names, and whether it is in sync.
    public func documents() async throws(BridgeFailure) -> [DocumentStatus] { try await status().documents }

    /// How the bridge is, and each of its documents.
    public func status() async throws(BridgeFailure) -> Status {
        Status(try await rethrowing { () throws(BridgeError) in try await backend.status() })
    }

    /// A document as it is stored in one container.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container, as `budget.json` or `notes/today.json`.
    ///   - container: Which of the two.
    /// - Returns: The document with its hash, which ``write(_:to:in:expecting:)`` takes.
    public func read(_ name: String, in container: Container = .group) async throws(BridgeFailure) -> Document
    {
        let path = try relativePath(name)
        return Document(
            try await rethrowing { () throws(BridgeError) in
                try await backend.document(path, side: container.side)
            }
        )
    }

    /// The bytes of a document as they are stored in one container, for a decoder.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container.
    ///   - container: Which of the two.
    public func data(of name: String, in container: Container = .group) async throws(BridgeFailure) -> Data {
        try await read(name, in: container).data
    }

    /// Writes a document into one container, whole or not at all; the other side follows.
    ///
    /// - Parameters:
    ///   - content: A JSON text in UTF-8: `Data`, `[UInt8]` or a string's `utf8`.
    ///   - name: Its path inside the container.
    ///   - container: Which of the two.
    ///   - expectation: What it may replace. Where something else is there, nothing is written.
    /// - Returns: The document as it is stored now.
    @discardableResult
    public func write(
        _ content: some Sequence<UInt8>,
        to name: String,
        in container: Container = .group,
        expecting expectation: Replaceable = .anything
    ) async throws(BridgeFailure) -> Document {
        let path = try relativePath(name)
        let expected = try expectation.expectation()
        let bytes = Array(content)
        return Document(
            try await rethrowing { () throws(BridgeError) in
                try await backend.put(bytes, as: path, side: container.side, expecting: expected)
            }
        )
    }

    /// Deletes a document in one container, whose content goes to the trash; the other side follows.
    ///
    /// Asked for by name it is no loss: it never halts the bridge, as files that disappear may.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container.
    ///   - container: Which of the two.
    ///   - hash: As ``Document/hash`` gives it. Where something else is there, nothing is deleted.
    public func delete(
        _ name: String,
        in container: Container = .group,
        expecting hash: String? = nil
    ) async throws(BridgeFailure) {
        let path = try relativePath(name)
        let expected = try hash.map(digest)
        try await rethrowing { () throws(BridgeError) in
            try await backend.delete(path, side: container.side, expecting: expected)
        }
    }

    /// Returns once every write that ended before this call is in sync.
    ///
    /// - Parameters:
    ///   - names: Wait only for these documents; without any, for all of them.
    ///   - timeout: How long to wait at most. It throws rather than hang: where a document is held or the
    ///     bridge is halted, at once.
    ///   - rehash: Read every document, too: that finds what raises no event, as a write through a hard link
    ///     in another directory or through a memory map.
    public func wait(
        for names: [String] = [],
        timeout: Duration = .seconds(5),
        rehash: Bool = false
    ) async throws(BridgeFailure) {
        let paths = try names.map(relativePath)
        try await rethrowing { () throws(BridgeError) in
            try await backend.wait(for: paths, timeout: timeout, rehash: rehash)
        }
    }
}
