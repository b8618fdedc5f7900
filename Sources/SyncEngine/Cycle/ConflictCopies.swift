import Documents
import Model
import StateStore

/// Records saves that lost a conflict, so that a person can resolve it.
extension Engine {
    /// Conflicts of a planned merge.
    func conflicts(settledBy job: PendingCommit, at now: Moment) -> [JournalEntry] {
        guard !job.plan.conflictCopies.isEmpty else { return [] }
        return job.conflictCopies.map { copy in
            let record = ConflictRecord(
                digest: Digest(of: copy.bytes),
                document: job.path,
                side: copy.side,
                at: now.unixMilliseconds,
                reason: job.plan.change?.done ?? .bothChanged,
                fields: job.plan.conflicts.map(ConflictRecord.Field.init),
                base: BothSides { (job.input.base ?? job.base)?.bytes(on: $0) },
                other: copy.side.flatMap { job.input.snapshot($0.other)?.bytes }
            )
            return .conflict(record)
        }
    }

    /// Saves that were merged or deleted; contents that were a base are in the events.
    func overwritten(by job: PendingCommit, at now: Moment) -> [JournalEntry] {
        Side.allCases.compactMap { side in
            guard job.plan.writes[side] != nil, let digest = job.input.digest(side),
                digest != recorded(before: job)?.sides[side].digest
            else { return nil }
            let reason = OverwriteReason.changed(job.plan.change?.done ?? .reformatted)
            return .overwritten(content(digest, job.path, side, reason, at: now.unixMilliseconds))
        }
    }

    /// The record in the journal.
    func recorded(before job: PendingCommit) -> DocumentRecord? {
        job.input.unedited == nil ? job.input.record : records[job.path]
    }

    private func content(
        _ digest: Digest,
        _ path: RelativePath,
        _ side: Side,
        _ reason: OverwriteReason,
        at: Int64
    ) -> OverwrittenContent {
        OverwrittenContent(digest: digest, document: path, side: side, reason: reason, at: at)
    }

    /// Records a conflict outside of a plan. Its time is added when it is recorded.
    mutating func record(
        overwritten digest: Digest,
        _ path: RelativePath,
        _ side: Side,
        _ reason: OverwriteReason
    ) {
        guard digest != records[path]?.sides[side].digest else { return }
        conflictLog.add(.overwritten(content(digest, path, side, reason, at: 0)))
    }

    /// For a forward merge: the app wins a conflict, so the group's save is kept as a conflict copy. The save
    /// is kept where its program's later one stands.
    mutating func keepConflictCopy(
        of save: RacingSave,
        _ current: DocumentSnapshot,
        _ merge: ForwardMerge
    ) throws(FileError) {
        let side = save.displaced.side
        let isLate = save.displaced.isLate || side == .app && merge.bytes == current.bytes
        let isApp = side == .app && !isLate
        let (copy, other) = isApp ? (current.bytes, save.bytes) : (save.bytes, current.bytes)
        let kept: Side = isLate ? side : .group
        let reason = ChangeReason.raced(in: side, isLate ? .laterStands : .appStands)
        var record = conflictRecord(copy, save.displaced.document, kept, reason)
        record.fields = merge.conflicts.map(ConflictRecord.Field.init)
        record.base = BothSides { _ in save.displaced.base }
        record.other = other
        try keepConflictCopy(copy, record, reason)
    }

    func conflictRecord(
        _ bytes: [UInt8],
        _ document: RelativePath?,
        _ side: Side,
        _ reason: ChangeReason
    ) -> ConflictRecord {
        ConflictRecord(digest: Digest(of: bytes), document: document, side: side, at: 0, reason: reason)
    }

    mutating func keepConflictCopy(
        _ bytes: [UInt8],
        _ record: ConflictRecord,
        _ reason: ChangeReason
    ) throws(FileError) {
        try keepBytes(ofConflictCopy: bytes, record.id, named: record.document ?? Self.nameless)
        recordCopy(record, reason)
    }

    /// The same for a file, which is moved itself: a program may still have it open.
    mutating func keepConflictCopy(
        _ file: Location,
        _ bytes: [UInt8],
        _ record: ConflictRecord,
        _ reason: ChangeReason
    ) throws(FileError) {
        let name = record.document ?? Self.nameless
        let isSynced = settings.durability.syncsFiles
        let kept = try state.keepConflictCopy(file, holding: bytes, record.id, of: name, synced: isSynced)
        if kept != nil { count(copy: bytes) }
        recordCopy(record, reason)
    }

    private mutating func recordCopy(_ record: ConflictRecord, _ reason: ChangeReason) {
        let name = (record.document ?? Self.nameless).description
        conflictLog.add(.conflict(record))
        report(PlannedChange(document: name, action: .conflict, from: nil, reason))
    }

    /// The conflict is reported by the current turn, or by the next one.
    private mutating func report(_ conflict: PlannedChange) { pendingResults.changes.append(conflict) }

    private static var nameless: RelativePath {
        guard let path = RelativePath("unknown") else { preconditionFailure("a name") }
        return path
    }

    mutating func keepConflictCopies(of job: PendingCommit) throws(FileError) {
        for copy in job.conflictCopies {
            let id = ConflictRecord.id(of: Digest(of: copy.bytes), job.path, copy.side)
            try keepBytes(ofConflictCopy: copy.bytes, id, named: job.path)
        }
    }

    private mutating func keepBytes(
        ofConflictCopy bytes: [UInt8],
        _ id: String,
        named document: RelativePath
    ) throws(FileError) {
        let isSynced = settings.durability.syncsFiles
        guard try state.keepConflictCopy(bytes, id, of: document, synced: isSynced) != nil else { return }
        count(copy: bytes)
    }

    private mutating func count(copy bytes: [UInt8]) {
        counters.conflicts += 1
        conflictLog.countKept(bytes: bytes.count)
    }

    /// Without an agent there is no later turn, so it is recorded now.
    mutating func record(putOver digest: Digest, _ path: RelativePath, _ side: Side, at now: Moment) {
        record(overwritten: digest, path, side, .replaced)
        write(at: now)
    }

    mutating func record(deleted digest: Digest, _ path: RelativePath, _ side: Side, at now: Moment) {
        record(overwritten: digest, path, side, .deleted)
        write(at: now)
    }

    mutating func recordConflicts(at now: Moment) {
        let dropped = discards.takeDropped()
        if !dropped.isEmpty { conflictLog.add(.dropped(dropped)) }
        journal.add(conflictLog.takeUnrecorded(at: now))
    }

    /// Combines the conflicts in the journal with the copies on disk.
    static func conflictLog(
        of journal: JournalBuffer,
        in state: StateDirectory,
        _ settings: EngineSettings
    ) throws(JournalError) -> ConflictLog {
        let recorded = try journal.conflictIndex()
        let names = recorded.isEmpty ? [] : (try? state.keptNames(in: Trash.conflicts)) ?? []
        let kept = Set(names.map { $0.prefix(12) })
        return ConflictLog(recorded, kept: kept, maxBytes: settings.maxConflicts)
    }
}

extension PendingCommit {
    /// The conflict copies with their sides.
    fileprivate var conflictCopies: [(bytes: [UInt8], side: Side?)] {
        plan.conflictCopies.map { copy in (copy, Side.allCases.first { input.snapshot($0)?.bytes == copy })
        }
    }
}

extension ConflictRecord.Field {
    init(_ conflict: MergeConflict) {
        func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
        self.init(
            pointer: conflict.pointer,
            base: text(conflict.base),
            app: text(conflict.app),
            group: text(conflict.group)
        )
    }
}
