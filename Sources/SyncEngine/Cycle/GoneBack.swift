import Model
import StateStore

/// Detects a journal that was restored from a backup together with its state directory, which itself shows no
/// sign of it.
extension Engine {
    /// A file has a newer generation than the journal: the journal may be restored from a backup, and would
    /// repeat numbers that subscribers have seen. So it gets a new instance.
    mutating func renewJournal(lostBefore job: PendingCommit) {
        let known = max(job.generation, intents.attemptedGeneration(of: job.path))
        guard job.input.published > known, !journal.isRenewed else { return }
        journal.renew(containers.nextNumber())
    }

    /// A publication could not be recorded: its mark does not mean that the journal was restored.
    mutating func remember(attempted job: PendingCommit) {
        guard !job.isAchieved else { return }
        intents.rememberAttempted(job.generation + 1, of: job.path)
    }
}
