import Model
import Replica
package import StateStore

/// What was put aside and understood, on its way to the trash.
extension Engine {
    /// Moves it there, off the way of the next change. The journal knows by then what took its place, if it
    /// can be written: until then what came out tells a run after a kill that this was published.
    mutating func flushDiscards() { discards.flush(in: state, from: &containers.replicas) }

    /// How full the trash is. It is looked through only where that is not known.
    package var trashUse: TrashUse { discards.use(in: state) }

    /// As far as it is known: while it is counted, or much of it deleted, others are not kept waiting.
    package var knownTrashUse: TrashUse { discards.knownUse }
    package var isPruning: Bool { discards.isPruning }

    /// Begins to drop what is too old or too much, and has the journal know what lies there. What takes long
    /// goes on with the turns to come; `whole`: is done now.
    package mutating func pruneTrash(at now: Moment, whole: Bool = false) throws(DecisionFailure) {
        do { try discards.prune(at: now, whole: whole, in: state) } catch { throw .file(error) }
        try recordTrash()
    }

    /// Once the process is about to end: the next one need not count.
    package mutating func recordTrash() throws(DecisionFailure) {
        let news: String?
        do { news = try discards.takeNews(in: state) } catch { throw .file(error) }
        if let news { journal.add([.value(news, key: TrashKeeper.key)]) }
    }

    /// What the trash could not take is tried again, ever more rarely.
    mutating func retryDiscards(at now: Moment) {
        let due = discards.due(at: now.uptime)
        guard !due.isEmpty else { return }
        // A person may have emptied the trash by removing it.
        try? state.makeKeepingPlaces()
        for place in due {
            if let name = TemporaryName(place.path.name) {
                recover(place, name, at: now)
            } else {
                _ = discards.take(place)
            }
        }
        discards.noteRetried(at: now.uptime)
    }

    /// Why replaced files still lie in the containers.
    package var trashProblem: TrashProblem? { discards.problem }
}
