import StateStore
import SyncEngine

extension BridgePaths {
    /// The pause that an earlier run began.
    func pause(in journal: SQLiteJournal) throws(BridgeError) -> PauseState {
        do { return PauseState(text: try journal.value(of: PauseState.key)) } catch { throw unusable(error) }
    }
}

extension Bridge {
    package func pause() async throws(BridgeError) -> BridgePause { try await setPaused(true) }

    package func resume() async throws(BridgeError) -> BridgePause { try await setPaused(false) }

    private func setPaused(_ isPaused: Bool) async throws(BridgeError) -> BridgePause {
        let outcome = await engineThread.run { core -> Result<BridgePause, JournalError> in
            let before = core.engine.pausedSince
            do throws(JournalError) {
                if isPaused { try core.engine.pause(at: Clock.now) } else { try core.engine.resume() }
            } catch {
                return .failure(error)
            }
            core.latencies.forgetStarted()
            return .success(BridgePause(before: before, now: core.engine.pausedSince))
        }
        switch outcome {
        case nil: throw .noAgent(socket: socketPath)
        case .failure(let error)?: throw paths.unusable(error)
        case .success(let pause)?: return pause
        }
    }
}
