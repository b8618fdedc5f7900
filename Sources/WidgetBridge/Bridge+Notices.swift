import BridgeRuntime
import Model

extension Bridge {
    /// Reports when widgets should reload: first the current state, then every change of the data that they
    /// show.
    ///
    /// A notice is sent after its data can be read in the group container, at least once, and in order for
    /// each document. A slow reader delays nothing else: if it falls too far behind, it gets the current
    /// state again.
    ///
    /// - Parameters:
    ///   - kind: Only notices for this kind of widget.
    ///   - document: Only notices for this document.
    ///   - cursor: Continue after the notice with this ``Notice/cursor``.
    public func notices(
        kind: String? = nil,
        document: String? = nil,
        since cursor: String? = nil
    ) -> AsyncThrowingStream<Notice, any Error> {
        let events: AsyncThrowingStream<ReloadEvent, any Error>
        do throws(BridgeFailure) {
            let path = try document.map(relativePath)
            events = try reloads(ReloadFilter(kind: kind, document: path, since: cursor))
        } catch {
            return AsyncThrowingStream { throw error }
        }
        // The next notice is fetched only when it is requested.
        return AsyncThrowingStream {
            do {
                for try await event in events { if let notice = Notice(event) { return notice } }
                return nil
            } catch let error as BridgeError {
                throw BridgeFailure(error)
            }
        }
    }

    private func reloads(
        _ filter: ReloadFilter
    ) throws(BridgeFailure) -> AsyncThrowingStream<ReloadEvent, any Error> {
        do throws(BridgeError) { return try backend.reloads(filter) } catch { throw BridgeFailure(error) }
    }
}
