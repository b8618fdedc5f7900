import BridgeRuntime
import Model
import SyncEngine

extension Bridge {
    /// Conflicts that were settled by rule and wait for a person, oldest first.
    public func conflicts() async throws(BridgeFailure) -> [Conflict] {
        try await rethrowing { () throws(BridgeError) in try await backend.conflicts() }.map(Conflict.init)
    }

    /// Decides a conflict by an ordinary edit, and takes it from the list.
    ///
    /// - Parameters:
    ///   - id: ``Conflict/id``, or the beginning of only one.
    ///   - choice: What the document is to be.
    @discardableResult
    public func resolve(_ id: String, taking choice: Choice) async throws(BridgeFailure) -> Edit {
        Edit(
            try await rethrowing { () throws(BridgeError) in
                try await backend.resolve(id, taking: choice.taken)
            }
        )
    }

    /// What the trash holds: contents that were overwritten or deleted, newest first.
    ///
    /// - Parameter name: Only those of this document.
    public func history(of name: String? = nil) async throws(BridgeFailure) -> [TrashedDocument] {
        let path = try name.map(relativePath)
        return try await rethrowing { () throws(BridgeError) in try await backend.history(of: path) }
            .map(TrashedDocument.init)
    }

    /// Brings a content back from the trash, by an ordinary edit.
    ///
    /// - Parameter id: ``TrashedDocument/id``, or the beginning of only one.
    @discardableResult
    public func undo(_ id: String) async throws(BridgeFailure) -> Edit {
        Edit(try await rethrowing { () throws(BridgeError) in try await backend.undo(id) })
    }

    /// Lets a deletion happen for which the bridge is halted.
    ///
    /// - Parameter id: ``Status/permit``.
    @discardableResult
    public func allow(_ id: String) async throws(BridgeFailure) -> AllowedDeletion {
        AllowedDeletion(try await rethrowing { () throws(BridgeError) in try await backend.allow(id) })
    }
}
