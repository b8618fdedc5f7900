package import BridgeRuntime
package import Model
package import Reloads
package import SyncEngine

/// The implementation of a ``Bridge``: in this process, by an agent, or by a simulation.
package protocol BridgeBackend: DocumentSource, EventAccess {
    func status() async throws(BridgeError) -> BridgeStatus
    func put(
        _ bytes: [UInt8],
        as name: RelativePath,
        side: Side,
        expecting: Expectation
    ) async throws(BridgeError) -> StoredDocument
    func delete(_ name: RelativePath, side: Side, expecting: Digest?) async throws(BridgeError)
    func wait(for documents: [RelativePath], timeout: Duration, rehash: Bool) async throws(BridgeError)
    func conflicts() async throws(BridgeError) -> [KeptConflict]
    func resolve(_ id: String, taking: Taken) async throws(BridgeError) -> MadeEdit
    func history(of name: RelativePath?) async throws(BridgeError) -> [TrashedContent]
    func undo(_ id: String) async throws(BridgeError) -> MadeEdit
    func allow(_ id: String) async throws(BridgeError) -> Allowed
    func pause() async throws(BridgeError) -> BridgePause
    func resume() async throws(BridgeError) -> BridgePause
    func widgets() async throws(BridgeError) -> [WidgetEntry]
    func placeWidget(_ kind: String, family: String) async throws(BridgeError) -> WidgetEntry
    func removeWidget(_ id: String) async throws(BridgeError) -> WidgetEntry
    func reloadLedger() async throws(BridgeError) -> [KindLedger]
    func enter(_ activity: AppActivity, for time: Duration) async throws(BridgeError) -> AppStateReport
    /// Ends what runs for it in this process.
    func close() async
}

extension BridgeRuntime.Bridge: BridgeBackend {}
