import BridgeRuntime
import Model
import SyncEngine

extension Bridge {
    /// The conflicts that a rule resolved and that wait for a person's decision, oldest first.
    public func conflicts() async throws(BridgeFailure) -> [Conflict] {
        try await rethrowing { () throws(BridgeError) in try await backend.conflicts() }.map(Conflict.init)
    }

    /// Resolves a conflict with an ordinary edit, and removes it from the list.
    ///
    /// - Parameters:
    ///   - id: ``Conflict/id``, or an unambiguous prefix of it.
    ///   - choice: The content that the document is to have.
    @discardableResult
    public func resolve(_ id: String, taking choice: Choice) async throws(BridgeFailure) -> Edit {
        Edit(
            try await rethrowing { () throws(BridgeError) in
                try await backend.resolve(id, taking: choice.taken)
            }
        )
    }

    /// The contents in the trash, which were overwritten or deleted, newest first.
    ///
    /// - Parameter name: Only the contents of this document.
    public func history(of name: String? = nil) async throws(BridgeFailure) -> [TrashedDocument] {
        let path = try name.map(relativePath)
        return try await rethrowing { () throws(BridgeError) in try await backend.history(of: path) }
            .map(TrashedDocument.init)
    }

    /// Restores a content from the trash, with an ordinary edit.
    ///
    /// - Parameter id: ``TrashedDocument/id``, or an unambiguous prefix of it.
    @discardableResult
    public func undo(_ id: String) async throws(BridgeFailure) -> Edit {
        Edit(try await rethrowing { () throws(BridgeError) in try await backend.undo(id) })
    }

    /// Allows the deletion for which the bridge is halted.
    ///
    /// - Parameter id: ``Status/permit``.
    @discardableResult
    public func allow(_ id: String) async throws(BridgeFailure) -> AllowedDeletion {
        AllowedDeletion(try await rethrowing { () throws(BridgeError) in try await backend.allow(id) })
    }

    /// Stops writing to both containers until ``resume()``.
    ///
    /// Programs can go on saving. Until then ``wait(for:timeout:rehash:)`` and all methods that write throw a
    /// failure with the reason `paused`. The bridge stays paused if it is closed and opened again. Pausing a
    /// paused bridge changes nothing.
    public func pause() async throws(BridgeFailure) {
        _ = try await rethrowing { () throws(BridgeError) in try await backend.pause() }
    }

    /// Ends a pause, and syncs what programs saved meanwhile.
    public func resume() async throws(BridgeFailure) {
        _ = try await rethrowing { () throws(BridgeError) in try await backend.resume() }
    }
}
