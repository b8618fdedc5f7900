import Model
import StateStore

/// A journal that has gone back, with the state directory it lies in: nothing in there tells of that.
extension Engine {
    /// What was published goes beyond what the journal has: it may have gone back, and then it would give out
    /// once more what subscribers were told of already. So it goes on as another one.
    mutating func note(lostBefore job: PendingCommit) {
        let known = max(job.generation, creations.attemptedGeneration(of: job.path))
        guard job.input.published > known, !journal.isRenewed else { return }
        journal.renew(containers.nextNumber())
    }

    /// What was put there could not be recorded: its mark tells of no other run.
    mutating func note(attempted job: PendingCommit) {
        guard !job.isAchieved else { return }
        creations.noteAttempted(job.generation + 1, of: job.path)
    }
}
