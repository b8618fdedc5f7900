import BridgeRuntime
import Documents
public import FoundationEssentials
import Model

extension Bridge {
    /// Reads and decodes a document.
    ///
    /// Numbers are exact if the type has a `Decimal` or an integer, and rounded if it has a `Double`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - name: Its path inside the container, such as `budget.json`.
    ///   - container: The container to read from.
    ///   - decoder: The decoder, with its strategies for dates and data.
    public func value<Value: Decodable>(
        _ type: Value.Type = Value.self,
        _ name: String,
        in container: Container = .group,
        decoder: JSONDecoder = JSONDecoder()
    ) async throws(BridgeFailure) -> Value {
        try decoded(type, try await read(name, in: container), decoder)
    }

    /// Changes a document: reads and decodes it, passes it to `change`, and writes what that has changed.
    ///
    /// If another program saves the document meanwhile, all is done again with what that has saved, so no
    /// save is lost; `change` may run several times. Values that the type does not have stay as they are, and
    /// so does the text of all that is not changed.
    ///
    /// - Parameters:
    ///   - name: Its path inside the container.
    ///   - type: The type to decode and encode.
    ///   - container: The container to write to; the bridge syncs it to the other one.
    ///   - initial: The value if there is no document; without it, that is an error.
    ///   - decoder: The decoder, with its strategies for dates and data.
    ///   - encoder: The encoder, with the same strategies.
    ///   - change: Changes the value. If it throws, nothing is written.
    /// - Returns: The value as it is stored now.
    @discardableResult
    public func update<Value: Codable>(
        _ name: String,
        as type: Value.Type = Value.self,
        in container: Container = .group,
        initial: Value? = nil,
        decoder: JSONDecoder = JSONDecoder(),
        encoder: JSONEncoder = JSONEncoder(),
        _ change: (inout Value) throws -> Void
    ) async throws -> Value {
        while true {
            try Task.checkCancellation()
            let old = try await existing(name, in: container, orNone: initial != nil)
            var value: Value
            if let old {
                value = try decoded(type, old, decoder)
            } else if let initial {
                value = initial
            } else {
                throw BridgeFailure(.noDocument, "no such document, \(name)")
            }
            let before = try old.map { _ in try encoded(value, name, encoder) }
            try change(&value)
            let after = try encoded(value, name, encoder)
            guard let new = try text(of: old, before, after, name) else { return value }
            let expected = old.map { Replaceable.content(hash: $0.hash) } ?? .nothing
            if try await isWritten(new, to: name, in: container, expecting: expected) { return value }
        }
    }

    /// `false` if another program has saved the document meanwhile.
    private func isWritten(
        _ content: [UInt8],
        to name: String,
        in container: Container,
        expecting expected: Replaceable
    ) async throws(BridgeFailure) -> Bool {
        do throws(BridgeFailure) {
            try await write(content, to: name, in: container, expecting: expected)
            return true
        } catch {
            guard case .mismatch = error.reason else { throw error }
            return false
        }
    }

    private func existing(_ name: String, in container: Container, orNone: Bool)
        async throws(BridgeFailure) -> Document?
    {
        do throws(BridgeFailure) { return try await read(name, in: container) } catch {
            guard orNone, error.reason == .noDocument else { throw error }
            return nil
        }
    }

    private func encoded(_ value: some Encodable, _ name: String, _ encoder: JSONEncoder)
        throws(BridgeFailure) -> JSON
    {
        do {
            return try JSON(parsing: Array(try encoder.encode(value)), limits: .unbounded)
        } catch {
            throw BridgeFailure(.refusedDocument, "\(name): its type cannot be encoded: \(error)")
        }
    }

    /// The document with what differs between the two values; `nil` if nothing does.
    private func text(of old: Document?, _ before: JSON?, _ after: JSON, _ name: String)
        throws(BridgeFailure) -> [UInt8]?
    {
        guard let old, let before else { return after.bytes }
        if before.isEqual(to: after) { return nil }
        do {
            return try JSONPatch.diff(from: before, to: after).apply(
                to: JSON(parsing: old.bytes, limits: .unbounded)
            ).bytes
        } catch {
            throw BridgeFailure(.refusedDocument, "\(name): its type does not encode what it decodes")
        }
    }
}

extension Bridge {
    /// What widgets show of a document in the group container: its state now, and then each change of it,
    /// with the document and by time.
    ///
    /// The profile says when a document is stale, and what an error is; without one, a document is always
    /// fresh. A slow loop gets the newest state. It ends with an error if the bridge, or its agent, ends.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - name: Its path inside the container.
    ///   - decoder: The decoder, with its strategies for dates and data.
    public func values<Value: Decodable & Sendable>(
        of type: Value.Type = Value.self,
        _ name: String,
        decoder: JSONDecoder = JSONDecoder()
    ) -> AsyncThrowingStream<DocumentState<Value>, any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { states in
            let reading = Task { [backend] in
                do {
                    let path = try relativePath(name)
                    let profile = try await rethrowing { () throws(BridgeError) in try await backend.profile()
                    }
                    let reader = StateReader(type, decoder)
                    let target = try ShownTarget(kind: nil, document: path, profile)
                    let follower = DocumentFollower(backend, target)
                    try await follower.run { sight in
                        if let state = await reader.state(sight) { states.yield(state) }
                        return true
                    }
                    states.finish()
                } catch let error as BridgeError {
                    states.finish(throwing: BridgeFailure(error))
                } catch {
                    states.finish(throwing: error)
                }
            }
            states.onTermination = { _ in reading.cancel() }
        }
    }
}

func decoded<Value: Decodable>(_ type: Value.Type, _ document: Document, _ decoder: JSONDecoder)
    throws(BridgeFailure) -> Value
{
    do { return try decoder.decode(type, from: document.data) } catch {
        throw BridgeFailure(.refusedDocument, "\(document.name): not of the type \(type): \(error)")
    }
}
