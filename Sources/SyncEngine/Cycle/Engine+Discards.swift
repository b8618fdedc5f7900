import Model
import Replica
package import StateStore

/// Displaced files on their way to the trash.
extension Engine {
    /// Moves them after the change that displaced them, so that they do not delay it. By then the journal has
    /// the change, if it can be written; until then a displaced file shows the next run that the content was
    /// published.
    mutating func flushDiscards() { discards.flush(in: state, from: &containers.replicas) }

    /// The use of the trash. Counts the files only if it is unknown.
    package var trashUse: TrashUse { discards.use(in: state) }

    /// As far as it is known: other requests do not wait for a count or a cleanup.
    package var knownTrashUse: TrashUse { discards.knownUse }
    package var isPruning: Bool { discards.isPruning }

    /// Starts deleting what is too old or too much, and records the state of the trash. Long work continues
    /// in later turns; `whole`: completes it now.
    package mutating func pruneTrash(at now: Moment, whole: Bool = false) throws(DecisionFailure) {
        do { try discards.prune(at: now, whole: whole, in: state) } catch { throw .file(error) }
        try recordTrash()
    }

    /// Called before the process ends, so that the next one need not count.
    package mutating func recordTrash() throws(DecisionFailure) {
        let news: String?
        do { news = try discards.takeNews(in: state) } catch { throw .file(error) }
        if let news { journal.add([.value(news, key: TrashKeeper.key)]) }
    }

    /// Retries files that the trash rejected, with increasing delays.
    mutating func retryDiscards(at now: Moment) {
        let due = discards.due(at: now.uptime)
        guard !due.isEmpty else { return }
        // A person may have emptied the trash by removing its directory.
        try? state.makeKeepingPlaces()
        for place in due {
            if let name = TemporaryName(place.path.name) {
                recover(place, name, at: now)
            } else {
                _ = discards.take(place)
            }
        }
        discards.countRetry(at: now.uptime)
    }

    /// Why displaced files are still in the containers.
    package var trashProblem: TrashProblem? { discards.problem }
}
