import BridgeRuntime
public import FoundationEssentials
import Model

extension Bridge {
    /// Every known document, by name, and whether it is in sync.
    public func documents() async throws(BridgeFailure) -> [DocumentStatus] { try await status().documents }

    /// The state of the bridge, and of each document.
    public func status() async throws(BridgeFailure) -> Status {
        Status(try await rethrowing { () throws(BridgeError) in try await backend.status() })
    }

    /// Reads a document from one container.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container, such as `budget.json` or `notes/today.json`.
    ///   - container: The container to read from.
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

    /// Reads the bytes of a document from one container, for a decoder.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container.
    ///   - container: The container to read from.
    public func data(of name: String, in container: Container = .group) async throws(BridgeFailure) -> Data {
        try await read(name, in: container).data
    }

    /// Writes a document to one container atomically; the bridge then syncs it to the other one.
    ///
    /// - Parameters:
    ///   - content: A JSON text in UTF-8: `Data`, `[UInt8]` or a string's `utf8`.
    ///   - name: Its path inside the container.
    ///   - container: The container to write to.
    ///   - expectation: What it may replace. If the current content is different, nothing is written.
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

    /// Deletes a document in one container and moves its content to the trash; the bridge then deletes it
    /// in the other one.
    ///
    /// Unlike files that disappear, a deletion requested by name never halts the bridge.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container.
    ///   - container: The container to delete it from.
    ///   - hash: The expected ``Document/hash``. If the current content is different, nothing is deleted.
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

    /// Waits until every write that ended before this call is in sync.
    ///
    /// - Parameters:
    ///   - names: The documents to wait for; without any, all documents.
    ///   - timeout: The longest time to wait, after which it throws. It throws at once if one of the
    ///     documents is held or the bridge is halted.
    ///   - rehash: Whether to read every document as well, which finds changes without an event, such as a
    ///     write through a hard link in another directory or through a memory map.
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
