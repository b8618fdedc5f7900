import Documents
package import Model
import StateStore

/// A person's choice for resolving a conflict.
package enum Taken: Sendable, Hashable {
    case side(Side)
    case content([UInt8])
}

extension Engine {
    /// Resolves a conflict with an ordinary edit and closes it; the kept bytes go to the trash.
    package mutating func resolve(
        _ id: String,
        taking taken: Taken,
        at now: Moment
    ) throws(DecisionFailure) -> MadeEdit {
        let copy = try conflictCopy(id)
        guard let path = document(of: copy) else {
            throw .impossible(.conflictOfNoDocument(file: copy.file.place.path))
        }
        try refuseExcluded(path)
        let edit = try decide(copy, path, taken, at: now)
        try close(copy, at: now)
        return edit
    }

    /// An edit of an excluded document would not be synced.
    func refuseExcluded(_ path: RelativePath) throws(DecisionFailure) {
        if let exclusion = rules.exclusion(of: path) { throw .impossible(.excluded(path, exclusion)) }
    }

    private mutating func decide(
        _ copy: ConflictCopy,
        _ path: RelativePath,
        _ taken: Taken,
        at now: Moment
    ) throws(DecisionFailure) -> MadeEdit {
        let winner: Side? = if case .side(let side) = taken { side } else { nil }
        let reason = ChangeReason.decided(conflict: copy.id, winner: winner)
        for _ in 0..<Self.decisionAttempts {
            let wanted = try wanted(copy, path, taken)
            do throws(DecisionFailure) {
                let model = model(ofDeleted: path)
                return try edit(path, wanted, like: model, cause: nil, reason, at: now)
            } catch .put(.mismatch, _, _) {
                // A program saved meanwhile: the resolution is applied to that.
            }
        }
        throw .put(.problem(.changing), path, copy.record?.side ?? .group)
    }

    static var decisionAttempts: Int { 8 }

    struct Wanted {
        var side: Side
        var bytes: [UInt8]
        var current: Digest?
    }

    private func wanted(
        _ copy: ConflictCopy,
        _ path: RelativePath,
        _ taken: Taken
    ) throws(DecisionFailure) -> Wanted {
        switch taken {
        case .content(let bytes):
            let fault = SchemaViolation(in: bytes, by: rule(for: path), limits: limits)
            if let fault { throw .impossible(.invalidFile(fault)) }
            let side = side(withVersionOf: bytes, path) ?? copy.record?.side ?? .group
            return Wanted(side: side, bytes: bytes, current: try standing(path, side)?.digest)
        case .side(let side):
            let (saved, base) = try content(of: side, copy)
            guard let current = try standing(path, side) else {
                return Wanted(side: side, bytes: saved, current: nil)
            }
            let rule = rule(for: path)
            let merge = copy.record.flatMap { _ in
                rule.forwardMerge(
                    saved,
                    base: base,
                    of: .app,
                    onTopOf: current,
                    between: .decisionAndRest,
                    limits: limits
                )
            }
            return Wanted(side: side, bytes: merge?.bytes ?? saved, current: current.digest)
        }
    }

    /// A side's content in the conflict, and its base.
    private func content(
        of side: Side,
        _ copy: ConflictCopy
    ) throws(DecisionFailure) -> (bytes: [UInt8], base: [UInt8]?) {
        guard let record = copy.record, let from = record.side else {
            throw .impossible(.conflictOfNoSide(file: copy.file.place.path))
        }
        if from == side {
            if isTooLarge(copy) { throw .impossible(.conflictTooLarge(side, file: copy.file.place.path)) }
            do { return (try contents(of: copy.file.place), record.base[side]) } catch { throw .file(error) }
        }
        guard let other = record.other else { throw .impossible(.conflictWithoutContent(side)) }
        return (other, record.base[side])
    }

    /// The side whose version these bytes have.
    private func side(withVersionOf bytes: [UInt8], _ path: RelativePath) -> Side? {
        guard let json = try? JSON(parsing: bytes, limits: limits),
            case .known(let version) = rule(for: path).version(of: json)
        else { return nil }
        return [Side.group, .app].first { records[path]?.sides[$0].version == version }
    }

    private func standing(_ path: RelativePath, _ side: Side) throws(DecisionFailure) -> DocumentSnapshot? {
        switch look(side, path, rehash: true, record: nil) {
        case .content(let snapshot): return snapshot
        case .absent, .unchanged: return nil
        case .problem(let problem): throw .put(.problem(problem), path, side)
        }
    }

    /// Edits by compare-and-swap on the content that was read. `model`: the file whose rights a new document
    /// gets.
    mutating func edit(
        _ path: RelativePath,
        _ wanted: Wanted,
        like model: Location? = nil,
        cause: Cause?,
        _ reason: ChangeReason,
        at now: Moment
    ) throws(DecisionFailure) -> MadeEdit {
        let digest = Digest(of: wanted.bytes)
        let isWritten = wanted.current != digest
        if isWritten {
            let edit = PendingEdit(side: wanted.side, digest: digest, cause: cause, reason: reason)
            pendingEdits.remember(edit, of: path)
            do throws(PutFailure) {
                try put(
                    wanted.bytes,
                    as: path,
                    on: wanted.side,
                    expecting: .some(wanted.current),
                    like: model,
                    at: now
                )
            } catch {
                pendingEdits.forget(path)
                throw .put(error, path, wanted.side)
            }
        }
        return MadeEdit(
            document: path.description,
            side: wanted.side,
            hash: digest.description,
            isWritten: isWritten,
            reason: .known(reason)
        )
    }

    private mutating func close(_ copy: ConflictCopy, at now: Moment) throws(DecisionFailure) {
        try discard(copy, .conflictDecided, at: now)
    }

    private mutating func discard(
        _ copy: ConflictCopy,
        _ reason: OverwriteReason,
        at now: Moment
    ) throws(DecisionFailure) {
        let digest: Digest
        do throws(FileError) {
            let bytes = try state.contents(of: copy.file.place, limit: Int(copy.file.size) + 1)
            digest = Digest(of: bytes)
            let limit = max(settings.maxDocument, Int(copy.file.size))
            try discards.discard(copy.file.place, digest, limit: limit, in: state, from: replicas)
        } catch {
            throw .file(error)
        }
        var entries = [JournalEntry.decided(id: copy.id)]
        if let document = document(of: copy) {
            let content = OverwrittenContent(
                digest: digest,
                document: document,
                side: copy.record?.side ?? .group,
                reason: reason,
                at: now.unixMilliseconds
            )
            entries.append(.overwritten(content))
        }
        journal.add(entries)
        journal.write(at: now.uptime)
        if let document = copy.record?.document { conflictLog.close(copy.id, of: document) }
    }

    /// Limits the conflicts to the size of the trash, including their journal entries: the oldest copies go
    /// to the trash unresolved. If they cannot be counted now, the next turn does it.
    mutating func boundConflicts(at now: Moment) {
        guard counters.conflicts > 0, conflictLog.mayBeFull, let count = try? countConflicts() else { return }
        var rest = count.bytes
        if conflictLog.isTooMuch(rest) {
            for copy in (try? conflictCopies()) ?? [] where conflictLog.isStillTooMuch(rest) {
                do {
                    try discard(copy, .conflictDropped, at: now)
                } catch {
                    return
                }
                rest -= copy.file.weight + (count.rows[copy.id] ?? 0)
                counters.droppedConflicts += 1
            }
        }
        conflictLog.rememberCount(rest)
    }

    private func countConflicts() throws(DecisionFailure) -> (bytes: Int64, rows: [String: Int64]) {
        let files: [KeptFile]
        let index: [ConflictRecord.Entry]
        do { files = try state.keptFiles(in: Trash.conflicts) } catch { throw .file(error) }
        do { index = try journal.conflictIndex() } catch { throw .journal(error) }
        let rows = Dictionary(index.map { ($0.id, $0.bytes) }) { $1 }
        return (files.reduce(rows.values.reduce(0, +)) { $0 + $1.weight }, rows)
    }
}
