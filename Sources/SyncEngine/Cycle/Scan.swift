import Documents
package import Model
import Replica
import StateStore

/// Full scans: at the start, after an overflow, and at intervals for changes without events.
extension Engine {
    /// Marks every document of both sides and of the base as dirty. With `rehash`, signatures are not
    /// trusted.
    package mutating func markAllDirty(at now: Moment, rehash: Bool = false) {
        // A scan also recovers files of a killed run, and removes old views. It follows when the pause ends.
        if pausedSince != nil { return scanner.want() }
        counters.rescans += 1
        if rehash {
            writers.readerLog.forgetOwnContents()
            records.forgetSignatures()
        }
        writers.displacedFiles.retryHeldOpen()
        recover(markAll(), at: now)
        resumeIntents(at: now)
        removeOldViews()
        for side in Side.allCases { replicas[side].removeEmptyDirectories() }
        scanner.plan(at: now.uptime, isReachable: halt?.isUnreachable != true)
        containers.recognize(isReachable: halt?.isUnreachable != true, in: &journal)
    }

    /// Marks every document and writes nothing. Returns the temporary files of killed runs.
    mutating func markAll() -> [(Location, TemporaryName)] {
        scanner.begin()
        var leftovers: [(Location, TemporaryName)] = []
        var found: BothSides<Set<RelativePath>> = BothSides(app: [], group: [])
        for side in Side.allCases {
            if let loss = containers.loss(of: side) {
                lossGuard.stop(for: loss)
                continue
            }
            do throws(FileError) {
                let listing = try scanner.list(nil, on: side, in: &containers.replicas)
                leftovers += listing.temporaries
                found[side] = mark(listing, on: side)
                viewPublisher.checkMisnamed(beneath: nil, on: side, in: replicas)
                lossGuard.record(reached: side)
            } catch {
                lossGuard.stop(for: Halt(side: side, reason: .unreadable(error)))
            }
        }
        if halt == nil { carryOut(lossGuard.record(missing: missing(beside: found))) }
        for path in Set(records.keys).union(holds.documents).sorted() { debounceQueue.enqueue(path) }
        return leftovers
    }

    /// Documents of the base that only one side has. `found`: the documents of each side.
    private func missing(
        beside found: BothSides<Set<RelativePath>>
    ) -> [(path: RelativePath, side: Side, digest: Digest)] {
        let gone = records.keys.filter { found.app.contains($0) != found.group.contains($0) }
        return gone.sorted().compactMap { path in
            let side: Side = found.app.contains(path) ? .group : .app
            if scanner.isUnknown(path, in: replicas[side]) || lostStores.contains(path, on: side) {
                return nil
            }
            return records[path].map { (path, side, $0.sides[side].digest) }
        }
    }

    /// Marks the documents below directories, on disk and in the base, and the documents with their names, in
    /// whose places the directories may have been. Each directory is listed once.
    package mutating func markDirty(beneath directories: Subtrees, on side: Side, at now: Moment) {
        if pausedSince != nil { return scanner.want() }
        for directory in directories.outermost {
            if let listing = try? scanner.list(directory, on: side, in: &containers.replicas) {
                _ = mark(listing, on: side)
                recover(listing.temporaries, at: now)
            }
            viewPublisher.checkMisnamed(beneath: directory, on: side, in: replicas)
        }
        let known = Set(records.keys).union(holds.documents).filter(directories.contains)
        let viewed = directories.directories.compactMap(document(ofView:))
        for path in known.sorted() + viewed.sorted() { debounceQueue.enqueue(path) }
        scanner.planIfUnlisted(at: now.uptime, isReachable: halt?.isUnreachable != true)
    }

    /// Marks the documents among the listed files, and those with views among them; returns the former.
    private mutating func mark(_ listing: ReplicaListing, on side: Side) -> Set<RelativePath> {
        var documents: Set<RelativePath> = []
        for path in listing.files {
            if isDocument(path) {
                documents.insert(path)
                debounceQueue.enqueue(path)
            } else if let document = document(ofView: path) {
                debounceQueue.enqueue(document)
                viewPublisher.check(name: Location(side, path), in: replicas)
            }
        }
        return documents
    }

    /// The watcher reported a name that is not UTF-8.
    package mutating func recordUnnamable(_ name: String, on side: Side) {
        scanner.record(unnamable: name, on: replicas[side])
    }

    /// Second names first: the file that was to replace the first name shows that it did not.
    private mutating func recover(_ leftovers: [(Location, TemporaryName)], at now: Moment) {
        let places = Set(leftovers.map(\.0))
        func isSecond(_ place: Location) -> Bool {
            place.temporaryOfSecondName.map { places.contains($0) } ?? false
        }
        let ordered = leftovers.filter { isSecond($0.0) } + leftovers.filter { !isSecond($0.0) }
        let names = leftovers.map(\.1)
        resumeMerges(leftovers, at: now)
        for (place, temporary) in ordered { recover(place, temporary, among: names, at: now) }
    }

    /// Handles a temporary file of a killed run. Its name identifies the document and the content written to
    /// it. More is known of a file that the trash rejected.
    mutating func recover(
        _ place: Location,
        _ temporary: TemporaryName,
        among leftovers: [TemporaryName] = [],
        at now: Moment
    ) {
        let understood = discards.take(place)
        guard let side = place.side, !writers.displacedFiles.contains(place) else { return }
        if recoverView(place, temporary) { return }
        // If the document is unknown, the file itself stands for it.
        let document = document(of: temporary, in: place.path.directory) ?? place.path
        // The temporary file of an excluded document waits until the document is included again.
        if rules.exclusion(of: document) != nil || document != place.path && !rules.isDocument(document) {
            return
        }
        if document != place.path, replicas[side].isSecondName(place, of: document) {
            try? replicas[side].remove(place)
            return
        }
        // Before the published content counts as the base.
        let base = understood == nil ? expectedBytes(of: temporary, document, side) : nil
        if understood == nil {
            guard mayGo(place, temporary, of: document, at: now),
                isResumed(temporary, at: place, document, side, among: leftovers, at: now)
            else { return }
        }
        let expected =
            understood.map { DisplacedFile.Expected.understood($0, temporary) } ?? .marked(temporary)
        var displaced = DisplacedFile(
            side: side,
            document: document,
            place: place,
            expected: expected,
            due: now.uptime
        )
        displaced.base = base
        displaced.isLate = understood == nil && hasLaterSave(displaced, among: leftovers + [temporary])
        if receive(displaced, at: now) != .nothing { debounceQueue.enqueue(document) }
        flushDiscards()
    }

    /// The base, if that was to be displaced: a save that was displaced instead is based on it.
    private func expectedBytes(
        of temporary: TemporaryName,
        _ document: RelativePath,
        _ side: Side
    ) -> [UInt8]? {
        let isExpected = records[document].map { temporary.isExpected($0.sides[side].digest) } ?? false
        return isExpected ? (try? base(of: document))?.bytes(on: side) : nil
    }

    /// Whether a program has saved the document after that file was displaced: the current content is none
    /// that the bridge published.
    private func hasLaterSave(_ displaced: DisplacedFile, among leftovers: [TemporaryName]) -> Bool {
        let (side, document) = (displaced.side, displaced.document)
        guard case .content(let current) = look(side, document, rehash: true, record: nil) else {
            return false
        }
        return current.mark == nil && current.digest != records[document]?.sides[side].digest
            && !leftovers.contains { $0.belongs(to: document) && $0.isContent(current.digest) }
    }

    private mutating func isResumed(
        _ temporary: TemporaryName,
        at place: Location,
        _ document: RelativePath,
        _ side: Side,
        among leftovers: [TemporaryName],
        at now: Moment
    ) -> Bool {
        do throws(BaseFailure) {
            try resume(temporary, at: place, document, side, among: leftovers)
        } catch .journal {
            // The current content may not be a program's edit, so it is not reconciled until that is known.
            scanner.remember(unresumed: document, at: now.uptime)
            return false
        } catch {
            // The base is lost, so it is examined without.
        }
        return true
    }

    /// Both sides and the base are searched for the document; for one that was deleted, the events.
    func document(of temporary: TemporaryName, in directory: RelativePath?) -> RelativePath? {
        for side in Side.allCases {
            if let path = replicas[side].document(of: temporary, in: directory) { return path }
        }
        let isMeant = { (path: RelativePath) in path.directory == directory && temporary.belongs(to: path) }
        return (Array(records.keys) + Array(records.excluded.keys)).first(where: isMeant)
            ?? (try? journal.allEvents())?.last { isMeant($0.document) }?.document
    }

    func contents(of file: Location) throws(FileError) -> [UInt8] {
        try replicas[of: file].contents(of: file, limit: settings.maxDocument + 1)
    }
}
