import BridgeRuntime
import Model

extension Bridge {
    /// Says that widgets should reload: the current state first, then every change that they would see.
    ///
    /// A notice comes after the data it names can be read in the group container, at least once, and for one
    /// document in order. A slow reader delays nobody: where it falls too far behind, the current state is
    /// told again.
    ///
    /// - Parameters:
    ///   - kind: Only those of this widget kind.
    ///   - document: Only those of this document.
    ///   - cursor: Go on after the notice that had this ``Notice/cursor``.
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
        // The next is taken only when it is asked for.
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
