package import Model
import Replica
import StateStore

/// Why a `put` failed.
package enum PutFailure: Error, Sendable, Hashable {
    case mismatch(actual: Digest?)
    /// The bridge is halted, so the document would not be synced.
    case halted(Halt)
    /// The bridge is paused: since when, in milliseconds since 1970.
    case paused(since: Int64)
    case problem(Problem)
    case file(FileError)
}

/// Reading and writing one document for a client, with the same compare-and-swap as the engine's own writes.
extension Engine {
    package func bytes(of path: RelativePath, on side: Side) throws(FileError) -> [UInt8] {
        if replicas[side].namesake(of: path) != nil { throw .missing(Location(side, path)) }
        let status = try status(of: Location(side, path))
        guard status.kind == .regular else { throw .notRegular(Location(side, path), status.kind) }
        return try contents(of: Location(side, path))
    }

    /// Why a document that was not found cannot be read; `nil`: there is none.
    package func obstacle(toReading path: RelativePath, on side: Side) -> Problem? {
        switch look(side, path, rehash: true, record: nil) {
        case .absent: nil
        case .problem(let problem): problem
        // It could not be read for a moment only, for example while a program had locked its database.
        case .content, .unchanged: .changing
        }
    }

    /// Writes `bytes` to one side. `expected`: the content it must have (`.some(nil)`: absent); `nil` for
    /// any. `model`: the file whose rights a new document gets.
    package mutating func put(
        _ bytes: [UInt8],
        as path: RelativePath,
        on side: Side,
        expecting expected: Digest??,
        like model: Location? = nil,
        at now: Moment
    ) throws(PutFailure) {
        if viewPublisher.isOld(path) { removeOldViews() }
        // The current file may be one that an earlier run created.
        if intents.hasOpen { markAllDirty(at: now) }
        if let problem = replicas[side].obstacle(to: bytes, as: path) { throw .problem(.unstorable(problem)) }
        for _ in 0..<Self.putAttempts {
            let actual = try digestStanding(path, side, isExpected: expected != nil)
            if let expected, expected != actual { throw .mismatch(actual: actual) }
            do throws(FileError) {
                let blind = expected == nil
                if try write(bytes, path, side, over: actual, like: model, isBlind: blind, at: now) { return }
            } catch {
                throw PutFailure(unwritable: error)
            }
        }
        throw .problem(obstacle(toReading: path, on: side) ?? .changing)
    }

    /// A change of this side would be undone. Called for a person's request; a rollback changes either side.
    package func refuseUnsynced(_ path: RelativePath, on side: Side) throws(PutFailure) {
        guard let source = rules.source(of: path), source != side else { return }
        throw .problem(.onlyFrom(source))
    }

    /// Takes a document away from one side, its content going to the trash; the deletion crosses like any
    /// other. A person asks for it, so it is no loss. `expected`: `nil` for whatever is there.
    package mutating func delete(
        _ path: RelativePath,
        on side: Side,
        expecting expected: Digest?,
        at now: Moment
    ) throws(PutFailure) {
        if intents.hasOpen { markAllDirty(at: now) }
        try checkCanCross(path, to: side.other)
        for _ in 0..<Self.putAttempts {
            let actual = try digestStanding(path, side, isExpected: expected != nil)
            if let expected, expected != actual { throw .mismatch(actual: actual) }
            guard let actual else { throw .file(.missing(Location(side, path))) }
            do throws(FileError) {
                if try remove(path, side, holding: actual, at: now) { return }
            } catch {
                throw PutFailure(unwritable: error)
            }
        }
        throw .problem(obstacle(toReading: path, on: side) ?? .changing)
    }

    /// A deletion cannot cross to a side where the document is held, and would then be no generation that
    /// could be undone.
    private func checkCanCross(_ path: RelativePath, to side: Side) throws(PutFailure) {
        guard case .success((_, let plan)) = planned(path, rehash: false), let (held, problem) = plan.problem,
            held == side
        else { return }
        switch problem {
        case .unheard, .beingWritten, .unfinishedSave:
            if case .problem(let problem) = look(side, path, rehash: true, record: nil) {
                throw .problem(problem)
            }
        case _ where problem.isOfNewStore: break  // The document is not there either.
        default: throw .problem(problem)
        }
    }

    private static var putAttempts: Int { 8 }

    /// `nil` where there is no document. `isExpected`: the client says which content it replaces.
    private func digestStanding(_ path: RelativePath, _ side: Side, isExpected: Bool) throws(PutFailure)
        -> Digest?
    {
        // What the bridge knows it does not open: that would look as if somebody had read it.
        var seen = look(side, path, rehash: false, record: records[path])
        switch seen {
        case .problem(let problem) where problem.isOfLookAlone:
            seen = look(side, path, rehash: true, record: nil)
        default: break
        }
        switch seen {
        case .absent:
            if let other = replicas[side].namesake(of: path) { throw .problem(.namesake(other)) }
            return nil
        case .content(let snapshot): return snapshot.digest
        case .unchanged: return records[path]?.sides[side].digest
        case .problem(let problem): return try replaceable(problem, Location(side, path), isExpected)
        }
    }

    /// `false` if somebody was faster.
    private mutating func remove(
        _ path: RelativePath,
        _ side: Side,
        holding digest: Digest,
        at now: Moment
    ) throws(FileError) -> Bool {
        let target = Location(side, path)
        defer { debounceQueue.enqueue(path) }
        let base = try? contents(of: target)
        let number = containers.nextNumber()
        guard let place = try replicas[side].displace(path, expected: digest, number: number) else {
            return false
        }
        containers.recordRename(target)
        try replicas[side].syncDirectory(of: path, isDue: true)
        lossGuard.allow(deletionOf: path, on: side)
        var out = DisplacedFile(
            side: side,
            document: path,
            place: place,
            expected: .content(digest),
            base: base.flatMap { Digest(of: $0) == digest ? $0 : nil },
            due: now.uptime,
            number: writers.ownSaves.nextNumber()
        )
        out.isRemoval = true
        let outcome = receive(out, at: now)
        flushDiscards()
        record(deleted: digest, path, side, at: now)
        return outcome == .nothing
    }

    /// A `put` can replace a broken document, but not something that is not a document. A document of a newer
    /// version holds what this profile cannot read: only a client that names its content replaces it.
    private func replaceable(_ problem: Problem, _ file: Location, _ isExpected: Bool) throws(PutFailure)
        -> Digest?
    {
        switch problem {
        case .newerVersion where isExpected: break
        case .notJSON, .empty, .unknownVersion: break
        default: throw .problem(problem)
        }
        do throws(FileError) { return Digest(of: try contents(of: file)) } catch { throw .file(error) }
    }

    /// `false` if another program saved first.
    private mutating func write(
        _ bytes: [UInt8],
        _ path: RelativePath,
        _ side: Side,
        over expected: Digest?,
        like model: Location?,
        isBlind: Bool,
        at now: Moment
    ) throws(FileError) -> Bool {
        let target = Location(side, path)
        defer { debounceQueue.enqueue(path) }
        if expected == nil { try replicas[side].makeDirectories(above: path) }
        let like =
            expected == nil ? standing(Location(side.other, path)) ?? model : containers.model(path, on: side)
        let staged = try stage(bytes, at: target, over: expected, like: like)
        let isBase = records[path]?.sides[side].digest == expected
        let base = expected == nil || isBase ? nil : try? contents(of: target)
        let publication = try swap(staged, expected: expected, side, waits: false)
        try replicas[side].syncDirectory(of: path, isDue: true)
        if case .replaced(let place) = publication, let expected {
            let (digest, exchanges) = (staged.digest, replicas[side].exchanges(path))
            let read = isBlind ? nil : expected
            lookAgain(at: writers.recordPut(digest, at: target, over: read, isExchanged: exchanges))
            var out = DisplacedFile(
                side: side,
                document: path,
                place: place,
                expected: .content(expected),
                due: now.uptime
            )
            out.base = base.flatMap { Digest(of: $0) == expected ? $0 : nil }
            receive(out, at: now)
            flushDiscards()
            record(putOver: expected, path, side, at: now)
        }
        return publication != .raced
    }

    private func standing(_ file: Location) -> Location? {
        replicas[of: file].hasFiles && (try? status(of: file))?.kind == .regular ? file : nil
    }

    /// A file with the rights that a document had before it was deleted on both sides; `nil` if one side has
    /// it.
    func model(ofDeleted path: RelativePath) -> Location? {
        guard Side.allCases.allSatisfy({ standing(Location($0, path)) == nil }) else { return nil }
        let last = (try? history(of: path))?.first
        return last.flatMap { Digest($0.hash) }.flatMap { Trash.place(of: $0) }
    }

    /// Stages a content outside of a plan.
    mutating func stage(
        _ bytes: [UInt8],
        at target: Location,
        over expected: Digest?,
        like model: Location?
    ) throws(FileError) -> Staged {
        let write = DocumentWrite(
            target.path,
            bytes: bytes,
            digest: Digest(of: bytes),
            over: expected,
            like: model,
            number: containers.nextNumber(),
            isSynced: settings.durability.syncsFiles
        )
        return try replicas[of: target].prepare(write)
    }
}

extension PutFailure {
    /// A database that a program has locked holds its documents.
    fileprivate init(unwritable error: FileError) {
        if case .system(_, .lock, _) = error {
            self = .problem(.unwritable(error))
        } else {
            self = .file(error)
        }
    }
}
