import Documents
import Model
import Replica
import StateStore

/// Handles a run that was killed after it had published a content and before it had recorded that. Once
/// programs have saved both sides again, only the journal can tell what was published.
extension Engine {
    /// The announcement for a plan that copies a change over the base of the other side; otherwise `nil`. A
    /// merge of both sides is none: an edit that it contains could not be told from its publication.
    func publication(of job: PendingCommit) -> PublicationIntent? {
        let written = Side.allCases.filter { job.staged[$0] != nil }
        guard let before = records[job.path], case .content(let agreed) = job.plan.agreement,
            let side = written.first, written.count == 1, isMistakable(job, on: side),
            job.input.digest(side) == before.sides[side].digest
        else { return nil }
        return PublicationIntent(
            document: job.path,
            side: side,
            record: record(before.generation + 1, of: job, agreed),
            content: agreed.content
        )
    }

    /// Whether the published content, taken for an edit of that side, could win over a later save of the
    /// other side. The app's value wins a conflict, so what is copied to the group loses one anyway, if its
    /// temporary file shows that it was published.
    private func isMistakable(_ job: PendingCommit, on side: Side) -> Bool {
        side == .app || job.input.rule.decidesConflicts || !replicas[side].exchanges(job.path)
    }

    /// A commit has ended. A publication that took place but could not be recorded must be checked again.
    func isSettled(_ job: PendingCommit) -> Bool { job.isAchieved || job.published.isEmpty }

    mutating func settlePublication(of path: RelativePath) {
        if publications.removeValue(forKey: path) != nil { journal.add([.settledPublication(path)]) }
    }

    /// Called after the temporary files of earlier runs were found.
    mutating func resumePublications(at now: Moment) {
        guard !publications.isEmpty, halt == nil else { return }
        for (_, intent) in publications.sorted(by: { $0.key < $1.key }) { resume(intent, at: now) }
        write(at: now)
    }

    /// If it took place, it is recorded now, as if the run had not been killed.
    private mutating func resume(_ intent: PublicationIntent, at now: Moment) {
        let path = intent.document
        guard !Side.allCases.contains(where: { scanner.isUnlisted(path, on: $0) }) else { return }
        let current = BothSides { look($0, path, rehash: true, record: nil) }
        guard let base = try? base(of: path), records[path]?.generation == intent.record.generation - 1,
            intent.record.version == rule(for: path).newest,
            has(intent, now: current[intent.side], over: base)
        else { return settlePublication(of: path) }
        let versions = intent.record.sides.map { $0.version }
        let reason = ChangeReason.changed(
            in: intent.side.other,
            version: versions.app == versions.group ? nil : versions[intent.side]
        )
        let agreed = Plan.Agreed(content: intent.content, versions: versions)
        var job = lateCommit(of: path, to: intent.side, agreed, .update, reason)
        job.standing = current.map { if case .content(let snapshot) = $0 { snapshot.digest } else { nil } }
        recordLate(job, at: now)
    }

    /// Whether the side has the published content, or a later edit of it: going on from the base to that
    /// content changes nothing there, and going back changes something.
    private func has(_ intent: PublicationIntent, now: Observation, over base: BaseContent) -> Bool {
        guard case .content(let now) = now else { return false }
        let side = intent.side
        if now.digest == intent.record.sides[side].digest { return true }
        let (before, after) = (base.bytes(on: side), intent.content.bytes(on: side))
        let rule = rule(for: intent.document)
        func has(changesFrom old: [UInt8], to new: [UInt8]) -> Bool? {
            ForwardMerge.has(now, changesFrom: old, to: new, by: rule, limits: limits)
        }
        return has(changesFrom: before, to: after) == true && has(changesFrom: after, to: before) == false
    }
}

extension JournalEntry {
    /// The announced publication.
    var publication: PublicationIntent? {
        if case .publication(let intent) = self { intent } else { nil }
    }
}
