import Documents
package import Model
import StateStore

/// What a person takes for the outcome of a conflict.
package enum Taken: Sendable, Hashable {
    case side(Side)
    case content([UInt8])
}

extension Engine {
    /// Decides a conflict by an ordinary edit, and takes it from the list; the kept bytes go to the trash.
    package mutating func resolve(
        _ id: String,
        taking taken: Taken,
        at now: Moment
    ) throws(DecisionFailure) -> MadeEdit {
        let loser = try loser(id)
        guard let path = document(of: loser) else {
            throw .impossible(.conflictOfNoDocument(file: loser.file.place.path))
        }
        let edit = try decide(loser, path, taken, at: now)
        try close(loser, at: now)
        return edit
    }

    private mutating func decide(
        _ loser: Loser,
        _ path: RelativePath,
        _ taken: Taken,
        at now: Moment
    ) throws(DecisionFailure) -> MadeEdit {
        let winner: Side? = if case .side(let side) = taken { side } else { nil }
        let reason = ChangeReason.decided(conflict: loser.id, winner: winner)
        for _ in 0..<Self.decisionAttempts {
            let wanted = try wanted(loser, path, taken)
            do throws(DecisionFailure) {
                let model = model(ofDeleted: path)
                return try edit(path, wanted, like: model, cause: nil, reason, at: now)
            } catch .put(.mismatch, _, _) {
                // Somebody saved meanwhile: the decision goes on top of that.
            }
        }
        throw .put(.problem(.changing), path, loser.record?.side ?? .group)
    }

    static var decisionAttempts: Int { 8 }

    struct Wanted {
        var side: Side
        var bytes: [UInt8]
        var current: Digest?
    }

    private func wanted(
        _ loser: Loser,
        _ path: RelativePath,
        _ taken: Taken
    ) throws(DecisionFailure) -> Wanted {
        switch taken {
        case .content(let bytes):
            let side = side(speaking: bytes, path) ?? loser.record?.side ?? .group
            return Wanted(side: side, bytes: bytes, current: try standing(path, side)?.digest)
        case .side(let side):
            let (saved, base) = try content(of: side, loser)
            guard let current = try standing(path, side) else {
                return Wanted(side: side, bytes: saved, current: nil)
            }
            let rule = rule(for: path)
            let merge = loser.record.flatMap { _ in
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

    /// What a side had to say in the conflict, and what it was made from.
    private func content(
        of side: Side,
        _ loser: Loser
    ) throws(DecisionFailure) -> (bytes: [UInt8], base: [UInt8]?) {
        guard let record = loser.record, let from = record.side else {
            throw .impossible(.conflictOfNoSide(file: loser.file.place.path))
        }
        if from == side {
            if isTooLarge(loser) { throw .impossible(.conflictTooLarge(side, file: loser.file.place.path)) }
            do { return (try contents(of: loser.file.place), record.base[side]) } catch { throw .file(error) }
        }
        guard let other = record.other else { throw .impossible(.conflictWithoutContent(side)) }
        return (other, record.base[side])
    }

    /// The side that speaks the version of these bytes.
    private func side(speaking bytes: [UInt8], _ path: RelativePath) -> Side? {
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

    /// By compare-and-swap on what was looked at. `model`: whose rights a document gets that is not there.
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
            pendingEdits.note(edit, of: path)
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

    private mutating func close(_ loser: Loser, at now: Moment) throws(DecisionFailure) {
        try discard(loser, .conflictDecided, at: now)
    }

    private mutating func discard(
        _ loser: Loser,
        _ reason: OverwriteReason,
        at now: Moment
    ) throws(DecisionFailure) {
        let digest: Digest
        do throws(FileError) {
            let bytes = try state.contents(of: loser.file.place, limit: Int(loser.file.size) + 1)
            digest = Digest(of: bytes)
            let limit = max(settings.maxDocument, Int(loser.file.size))
            try discards.discard(loser.file.place, digest, limit: limit, in: state, from: replicas)
        } catch {
            throw .file(error)
        }
        var entries = [JournalEntry.decided(id: loser.id)]
        if let document = document(of: loser) {
            let content = OverwrittenContent(
                digest: digest,
                document: document,
                side: loser.record?.side ?? .group,
                reason: reason,
                at: now.unixMilliseconds
            )
            entries.append(.overwritten(content))
        }
        journal.add(entries)
        journal.write(at: now.uptime)
        if let document = loser.record?.document { conflictLog.close(loser.id, of: document) }
    }

    /// The store of conflicts is as large as the trash at most, with what the journal keeps of them: the
    /// oldest go to the trash undecided. What cannot be counted now is so in the next turn.
    mutating func boundConflicts(at now: Moment) {
        guard counters.conflicts > 0, conflictLog.mayBeFull, let count = try? countConflicts() else { return }
        var rest = count.bytes
        if conflictLog.isTooMuch(rest) {
            for loser in (try? conflictCopies()) ?? [] where conflictLog.isStillTooMuch(rest) {
                do {
                    try discard(loser, .conflictDropped, at: now)
                } catch {
                    return
                }
                rest -= loser.file.weight + (count.rows[loser.id] ?? 0)
                counters.droppedConflicts += 1
            }
        }
        conflictLog.noteCounted(rest)
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
