import Documents
import Model
import Replica
import StateStore

/// Files that were displaced by a write.
extension ReplicaWriter {
    /// Examines the files again that could not be examined before.
    mutating func examineDisplaced(at now: Moment) {
        for displaced in displacedFiles.takeDue(at: now.uptime) { receive(displaced, at: now) }
        flushDiscards()
    }

    /// Examines a file, which may be the only copy of a save.
    @discardableResult
    mutating func receive(_ displaced: DisplacedFile, at now: Moment) -> DisplacementOutcome {
        var (outcome, next) = examine(displaced, at: now)
        for _ in 0..<Self.mostAttempts {
            guard let again = next else { break }
            next = examine(again, at: now).next
        }
        // If a program saves faster than this, its last save is examined later.
        if let next { displacedFiles.add(next) }
        switch outcome {
        case .nothing: break
        case .nameRestored: add(.stands, displaced)
        // The merged document is in place, even if its name might not survive a power cut.
        case .merged: try? syncName(of: displaced.document)
        }
        return outcome
    }

    private mutating func add(_ outcome: ConcurrentSave.Outcome, _ displaced: DisplacedFile) {
        examined.insert(ConcurrentSave(document: displaced.document, outcome: outcome))
    }

    /// `next` is the file that was displaced in turn, by a merge or by a restored name.
    private mutating func examine(_ displaced: DisplacedFile, at now: Moment) -> (
        outcome: DisplacementOutcome, next: DisplacedFile?
    ) {
        var displaced = displaced
        let isLate = displaced.isOverdue(at: now.uptime)
        do throws(FileError) {
            let found = try replica.examine(
                displaced.place,
                trustUnknown: isLate,
                isExpected: displaced.expected.isMet
            )
            switch found {
            case .expected(let digest): discards.add(displaced.place, digest)
            case .busy: displacedFiles.retry(displaced, isLate ? .rarely : .soon, at: now.uptime)
            case .tooLarge: return (.nameRestored, restoreName(displaced, at: now))
            case .overtook(let bytes): return (.merged, try mergeForward(bytes, displaced, at: now))
            }
        } catch .missing {
            // Another program has removed it.
        } catch .notRegular {
            return (.nameRestored, restoreName(displaced, at: now))
        } catch {
            // It stays where it is.
            displacedFiles.retry(displaced, .rarely, at: now.uptime)
        }
        return (.nothing, nil)
    }

    /// Restores the name of a directory or link that a program put in the document's place, or of a save
    /// that is too large to merge. Returns the file that this displaces.
    private mutating func restoreName(_ displaced: DisplacedFile, at now: Moment) -> DisplacedFile? {
        guard let name = TemporaryName(displaced.place.path.name), !displaced.isOrphan else {
            displacedFiles.keepUnrecognized(displaced, at: now.uptime)
            return nil
        }
        do throws(FileError) {
            do throws(FileError) {
                try replica.restore(displaced.place, as: displaced.document)
                return nil
            } catch .exists {
                // The two files change places, unless the other one is not a document either: two such files
                // would change places for ever.
                guard isDocument(displaced.target) else {
                    displacedFiles.keepUnrecognized(displaced, at: now.uptime)
                    return nil
                }
                try replica.exchange(displaced.place, with: displaced.document)
            }
        } catch {
            displacedFiles.retry(displaced, .rarely, at: now.uptime)
            return nil
        }
        var out = displaced
        (out.expected, out.publication, out.since) = (.marked(name), nil, nil)
        return out
    }

    private func isDocument(_ place: Location) -> Bool {
        guard let standing = try? replica.status(of: place) else { return false }
        return standing.kind == .regular && standing.signature.size <= Int64(settings.maxDocument)
    }

    /// Merges a displaced save with the current content. It is never swapped back, because that could
    /// displace a second save unseen. Returns the file that the merge displaces.
    private mutating func mergeForward(
        _ bytes: [UInt8],
        _ displaced: DisplacedFile,
        at now: Moment
    ) throws(FileError) -> DisplacedFile? {
        for _ in 0..<Self.mostAttempts where !displaced.isOrphan {
            switch read(displaced.document) {
            case .absent where isReadable(bytes):
                // A program deleted the document after this edit: the edit is restored, if its name is
                // still free.
                do throws(FileError) {
                    try replica.restore(displaced.place, as: displaced.document)
                    add(.merged, displaced)
                    return nil
                } catch .exists {
                    continue
                }
            case .content(let current):
                switch try put(bytes, displaced, onTopOf: current, at: now) {
                case .done: return nil
                case .replaced(let next): return next
                case .raced: continue
                }
            case .problem(let problem) where problem.mayPass || problem.isRetried:
                var waiting = displaced
                guard waiting.isBlockedForNow(at: now.uptime) else { break }
                displacedFiles.retry(waiting, .soon, at: now.uptime)
                return nil
            default: break
            }
            break
        }
        try keep(bytes, displaced)
        return nil
    }

    private static var mostAttempts: Int { 16 }

    private mutating func put(
        _ bytes: [UInt8],
        _ displaced: DisplacedFile,
        onTopOf current: DocumentSnapshot,
        at now: Moment
    ) throws(FileError) -> Commit {
        let digest = Digest(of: bytes)
        guard current.digest != digest else {
            add(.merged, displaced)
            discards.add(displaced.place, digest)
            return .done
        }
        // The current content is this migration's, or a later save, which then wins a conflict.
        let isEarlier = !displaced.isDisplaced(by: current.digest)
        let parties: MergeParties = isEarlier || displaced.isOverMerge ? .savesOfOneSide : .sides
        let rule = rule(for: displaced.document)
        let merge = rule.forwardMerge(
            bytes,
            base: displaced.base ?? original(of: displaced),
            of: isEarlier ? .group : .app,
            onTopOf: current,
            between: parties,
            limits: settings.limits
        )
        // A save that violates its schema is not merged: nothing would hold it here, and in the other
        // version it would not be recognized.
        guard let merge, !rule.isBroken(bytes, limits: settings.limits) else {
            try keep(bytes, displaced)
            return .done
        }
        if !merge.conflicts.isEmpty {
            try keepCopy(of: isEarlier ? bytes : current.bytes, displaced)
        }
        let outcome = try put(merge.bytes, of: displaced, over: current, at: now)
        if case .raced = outcome { return .raced }
        discards.add(displaced.place, digest)
        return outcome
    }

    /// The content that the displaced save of a killed run was based on. It is only needed if there is such
    /// a save.
    private func original(of displaced: DisplacedFile) -> [UInt8]? {
        let digest = (try? state.originalDigests())?.first(where: displaced.expected.isBase)
        return digest.flatMap { try? state.original($0, limit: settings.maxDocument + 1) }
    }

    private mutating func put(
        _ merge: [UInt8],
        of displaced: DisplacedFile,
        over current: DocumentSnapshot,
        at now: Moment
    ) throws(FileError) -> Commit {
        if merge == current.bytes { return .done }
        let staged = try prepare(merge, as: displaced.document, over: current.digest)
        try sync(staged)
        let outcome = try commit(staged, over: (current.digest, current.bytes), at: now)
        if case .raced = outcome { return .raced }
        add(.merged, displaced)
        guard case .replaced(var next) = outcome else { return outcome }
        next.isOverMerge = true
        return .replaced(next)
    }

    /// Keeps a save that cannot be merged outside the directory, where a person finds it.
    private mutating func keep(_ bytes: [UInt8], _ displaced: DisplacedFile) throws(FileError) {
        // A program that was killed while writing this file never learned that the save succeeded.
        if isReadable(bytes) || !displaced.isLeftover {
            try keepCopy(of: bytes, displaced)
        }
        discards.add(displaced.place, Digest(of: bytes))
    }

    private mutating func keepCopy(of bytes: [UInt8], _ displaced: DisplacedFile) throws(FileError) {
        let document = displaced.isOrphan ? nil : displaced.document
        guard let name = document ?? RelativePath("unknown") else { return }
        let id = ConflictRecord.id(of: Digest(of: bytes), document, side)
        let isSynced = settings.durability.syncsFiles
        guard let file = try state.keepConflictCopy(bytes, id, of: name, synced: isSynced),
            let path = RelativePath("\(Trash.conflicts)/\(file)")
        else { return }
        add(.kept(Location(.state, path)), displaced)
    }

    private func isReadable(_ bytes: [UInt8]) -> Bool {
        (try? JSON(parsing: bytes, limits: settings.limits)) != nil
    }
}

extension DocumentRule {
    /// Whether a document violates the schema of its version.
    fileprivate func isBroken(_ bytes: [UInt8], limits: JSONLimits) -> Bool {
        guard let json = try? JSON(parsing: bytes, limits: limits), let version = known(json) else {
            return false
        }
        return breach(of: json, version: version) != nil
    }
}

extension DisplacedFile {
    /// Whether this content took its place.
    fileprivate func isDisplaced(by digest: Digest) -> Bool {
        switch expected {
        case .content: publication == digest
        case .marked(let name), .understood(_, let name): name.isContent(digest)
        }
    }
}
