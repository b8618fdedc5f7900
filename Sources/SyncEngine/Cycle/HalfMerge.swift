import Documents
import Model
import StateStore

/// Handles a merge of both sides that was written on one side only: a program saved the other side first, or
/// its disk is full.
extension Engine {
    /// What the merge took from the side that was not written becomes the base. With the old base, it would
    /// look like an edit of the side that was written, and would win over later edits of its author.
    ///
    /// The side that was written keeps its digest: the new base never was its content.
    mutating func record(half job: PendingCommit, at now: Moment) {
        guard let side = job.published.first, job.published.count == 1, !job.isPending,
            job.plan.writes[side.other] != nil, let before = records[job.path],
            let input = try? job.input.agreed(on: side.other, base: { () throws(BaseFailure) in job.base }),
            var record = input.record, let base = input.base
        else { return }
        record.generation = job.generation
        record.sides[side].digest = before.sides[side].digest
        if job.isInferred { record.sides[side.other].digest = before.sides[side.other].digest }
        let conflicts = conflicts(settledBy: job, at: now)
        journal.add([.agreed(job.path, record, base)] + conflicts + overwritten(by: job, at: now))
        conflictLog.addRecorded(conflicts)
        records[job.path] = record
    }
}
