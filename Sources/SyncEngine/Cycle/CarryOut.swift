import Documents
import Model
import Replica
import StateStore

/// Carries out plans: stages all contents, syncs once, publishes each, syncs the directories, records.
extension Engine {
    /// Long enough to avoid a busy loop while a writer has the file open.
    static var afterRace: Duration { .milliseconds(2) }

    mutating func carryOut(_ jobs: inout [PendingCommit], at now: Moment, _ turn: inout Turn) {
        prepare(&jobs, at: now, &turn)
        guard !jobs.isEmpty else { return }
        let writes = jobs.reduce(0) { $0 + $1.plan.contentWrites }
        let syncsTogether = settings.durability == .batch && writes > 2
        for index in jobs.indices {
            stage(&jobs[index], synced: settings.durability.syncsFiles && !syncsTogether)
        }
        if syncsTogether { syncStaged(&jobs) }
        announce(&jobs)
        for index in jobs.indices where jobs[index].failure == nil {
            publish(&jobs[index], at: now)
            publishViews(&jobs[index], at: now)
        }
        jobs.keepNamesOfUnmoved()
        syncDirectories(&jobs)
        record(jobs, at: now, &turn)
        for index in jobs.indices { unstageUnlessUnmade(&jobs[index]) }
        for job in jobs {
            remember(attempted: job)
            if job.failure != nil { fail(job, at: now, &turn) }
            if job.isRaced {
                let next = openDocuments.nextTry(of: job.path, at: now.uptime)
                debounceQueue.schedule(job.path, at: next ?? now.uptime + Self.afterRace)
            }
            // Removes directories that were made for a document that was not published.
            if job.isRaced {
                for side in Side.allCases { discards.addEmptied(Location(side, job.path)) }
            }
        }
        flushDiscards()
        jobs.removeAll(keepingCapacity: true)
    }

    private mutating func stage(_ job: inout PendingCommit, synced: Bool) {
        // Before the documents are replaced.
        do throws(FileError) {
            try keepConflictCopies(of: job)
        } catch {
            job.failure = (.group, error)
        }
        for side in Side.allCases {
            guard case .content(let bytes) = job.plan.writes[side], job.failure == nil else { continue }
            do throws(FileError) {
                job.staged[side] = try stageInDirectory(bytes, job, side, synced)
                job.written[side] = job.staged[side]?.digest
            } catch .missing {
                job.isRaced = true
                job.failure = nil
                unstage(&job)
                return
            } catch {
                job.failure = (side, error)
                unstage(&job)
            }
        }
    }

    /// Stages beside the target, after making missing directories.
    private mutating func stageInDirectory(
        _ bytes: [UInt8],
        _ job: PendingCommit,
        _ side: Side,
        _ synced: Bool
    ) throws(FileError) -> Staged {
        do {
            return try stageBeside(bytes, job, side, synced)
        } catch .missing where job.path.directory != nil {
            try replicas[side].makeDirectories(above: job.path)
        } catch .noDirectory(let directory) where directory.path != nil {
            try replicas[side].makeDirectories(above: job.path)
        }
        return try stageBeside(bytes, job, side, synced)
    }

    private mutating func stageBeside(
        _ bytes: [UInt8],
        _ job: PendingCommit,
        _ side: Side,
        _ synced: Bool
    ) throws(FileError) -> Staged {
        let write = DocumentWrite(
            job.path,
            bytes: bytes,
            digest: job.input.digest(of: bytes),
            over: job.input.digest(side),
            like: containers.model(job.path, on: job.input.isAbsent(side) ? side.other : side),
            source: job.plan.writes[side.other] == nil ? job.input.digest(side.other) : nil,
            number: containers.nextNumber(),
            isSynced: synced,
            mark: containers.mark(
                job.plan.writes[side.other] == nil ? .carried : .merged,
                generation: job.generation + 1,
                source: job.input.digest(side.other)
            )
        )
        return try replicas[side].prepare(write)
    }

    /// Without its temporary file a document looks created, so the file stays until the journal has recorded
    /// that the creation failed.
    private mutating func unstageUnlessUnmade(_ job: inout PendingCommit) {
        guard job.intent?.change == .created, !journal.isEmpty else { return unstage(&job) }
        for side in Side.allCases {
            if let staged = job.staged[side] { intents.rememberUnmade(staged.temporary) }
        }
    }

    private func unstage(_ job: inout PendingCommit) {
        for side in Side.allCases {
            if let staged = job.staged[side] { try? replicas[side].abandon(staged) }
            job.staged[side] = nil
        }
    }

    /// Called once all are written: the first sync writes most of the others, too. Syncing the whole file
    /// system would also wait for other programs' data.
    private func syncStaged(_ jobs: inout [PendingCommit]) {
        for index in jobs.indices where jobs[index].failure == nil {
            for side in Side.allCases {
                guard let staged = jobs[index].staged[side] else { continue }
                do throws(FileError) {
                    try replicas[side].sync(staged)
                } catch {
                    jobs[index].failure = (side, error)
                    unstage(&jobs[index])
                }
            }
        }
    }

    /// Two saves within one grain of the file system's timestamps can have the same signature.
    mutating func recheckLater(_ path: RelativePath, _ seen: Signature? = nil, at now: Moment) {
        let grain = replicas.timestampGrain
        let own = seen.map { SignatureTrust.grain(of: $0, atLeast: grain) } ?? grain
        debounceQueue.schedule(path, at: now.uptime + own + grain)
    }

    private mutating func publish(_ job: inout PendingCommit, at now: Moment) {
        guard !job.isRaced else { return }
        rename(&job)
        for side in Side.allCases where !job.isRaced {
            do throws(FileError) {
                switch job.plan.writes[side] {
                case nil: job.signatures[side] = settledSignature(of: job, side, at: now)
                case .content: try publish(&job, side, at: now)
                case .remove: try remove(&job, side, at: now)
                }
            } catch {
                job.failure = (side, error)
            }
            if job.isRaced || job.isPending || job.failure != nil {
                if job.intent?.change != .created { unstage(&job) }
                return
            }
        }
    }

    /// For a side that is not written; if its signature is too recent to trust, the document is read again.
    private mutating func settledSignature(of job: PendingCommit, _ side: Side, at now: Moment) -> Signature?
    {
        guard let seen = job.input.signature(side) else { return nil }
        if seen == job.input.record?.sides[side].signature { return seen }
        let signature = containers.trusted(seen, of: Location(side, job.path), at: now)
        if signature == nil { recheckLater(job.path, seen, at: now) }
        return signature
    }

    private mutating func publish(_ job: inout PendingCommit, _ side: Side, at now: Moment) throws(FileError)
    {
        guard let staged = job.staged[side], case .content(let bytes) = job.plan.writes[side] else { return }
        let expected = job.input.digest(side)
        let wasUnread = expected.map { writers.readerLog.isUnread($0, at: staged.target) } ?? false
        let isAnnounced = job.intent?.change == .created
        let publication =
            try isAnnounced ? replicas[side].create(staged) : swap(staged, expected: expected, side)
        if publication == .raced {
            if isAnnounced || !hasWriterInTheWay(staged.target, at: now) { counters.races += 1 }
            job.isRaced = true
        }
        // The temporary file of an announced creation that failed stays, for the next run to find.
        if isAnnounced, job.isRaced { return }
        job.staged[side] = nil
        containers.recordRename(staged.target)
        job.isPending = publication == .pending
        if job.isRaced || job.isPending { return }
        job.published.insert(side)
        openDocuments.forget(at: staged.target)
        let (seen, target) = (containers.signature(of: staged, at: now), staged.target)
        job.signatures[side] = seen.trusted
        // A program may have written to it already: then its signature differs from the staged one.
        if !seen.isOwn { debounceQueue.enqueue(job.path) }
        if seen.trusted == nil { recheckLater(job.path, at: now) }
        guard case .replaced(let displaced) = publication, let expected else {
            return writers.ownSaves.recordCreation(bytes, at: target)
        }
        let isSave = job.input.snapshot(side) != nil && !wasUnread
        recordPublication(staged, bytes, over: expected, isSave: isSave, seen: seen.trusted)
        if isSave { writers.readerLog.remember(settled: job.plan.settled[side], of: expected, at: target) }
        var out = displacedFile(from: job, side, expected, at: displaced, now)
        out.publication = staged.digest
        out.wasUnread = wasUnread
        if receive(out, at: now) == .nameRestored { job.isRaced = true }
    }

    /// `waits`: for programs that have the document open, where an exchange is not possible.
    mutating func swap(
        _ staged: Staged,
        expected: Digest?,
        _ side: Side,
        waits: Bool = true
    ) throws(FileError) -> Publication {
        let waits = waits && !openDocuments.isOverdue(staged.target)
        return try replicas[side].commit(staged, over: expected, waits: waits)
    }

    private mutating func remove(_ job: inout PendingCommit, _ side: Side, at now: Moment) throws(FileError) {
        guard let expected = job.input.digest(side) else { return }
        let target = Location(side, job.path)
        guard
            let displaced = try replicas[side].displace(
                job.path,
                expected: expected,
                number: containers.nextNumber()
            )
        else { return }
        containers.recordRename(target)
        var out = displacedFile(from: job, side, expected, at: displaced, now)
        out.isRemoval = true
        if receive(out, at: now) != .nothing { job.isRaced = true }
    }

    private mutating func displacedFile(
        from job: PendingCommit,
        _ side: Side,
        _ expected: Digest,
        at place: Location,
        _ now: Moment
    ) -> DisplacedFile {
        DisplacedFile(
            side: side,
            document: job.path,
            place: place,
            expected: .content(expected),
            base: job.input.snapshot(side)?.bytes ?? job.agreedBytes(on: side),
            due: now.uptime,
            other: job.input.digest(side.other),
            number: writers.ownSaves.nextNumber()
        )
    }

    /// An adopted document may have been published, but not synced, by an earlier run.
    private mutating func syncDirectories(_ jobs: inout [PendingCommit]) {
        guard settings.durability.syncsDirectories else { return }
        for index in jobs.indices where jobs[index].failure == nil {
            let job = jobs[index]
            if job.plan.change?.action == .adopt {
                for side in Side.allCases { replicas[side].remember(unsynced: job.path) }
            }
            for side in Side.allCases {
                let isDue = settings.durability == .dir && job.plan.writes[side] != nil
                do throws(FileError) {
                    try replicas[side].syncDirectory(of: job.path, isDue: isDue)
                } catch {
                    jobs[index].failure = (side, error)
                }
            }
        }
    }
}

extension PendingCommit {
    /// The result is as planned, and can be recorded.
    var isAchieved: Bool { failure == nil && !isRaced && !isPending }

    /// The base's bytes of a side that has not changed.
    fileprivate func agreedBytes(on side: Side) -> [UInt8]? {
        guard case .unchanged = input.observed[side] else { return nil }
        return base?.bytes(on: side)
    }
}

extension PlanInput {
    /// The digest of the current bytes; `nil` if the document is absent.
    func digest(_ side: Side) -> Digest? {
        switch observed[side] {
        case .content(let snapshot): snapshot.digest
        case .unchanged: record?.sides[side].digest
        case .absent, .problem: nil
        }
    }

    /// A copied content was hashed and parsed already when it was read.
    func snapshot(of bytes: [UInt8]) -> DocumentSnapshot? {
        Side.allCases.lazy.compactMap { snapshot($0) }.first { $0.bytes == bytes }
    }

    func digest(of bytes: [UInt8]) -> Digest { snapshot(of: bytes)?.digest ?? Digest(of: bytes) }

    func signature(_ side: Side) -> Signature? {
        switch observed[side] {
        case .content(let snapshot): snapshot.signature
        case .unchanged(let signature): signature
        case .absent, .problem: nil
        }
    }
}

extension Plan {
    var contentWrites: Int {
        Side.allCases.reduce(0) { sum, side in
            if case .content = writes[side] { sum + 1 } else { sum }
        }
    }
}
