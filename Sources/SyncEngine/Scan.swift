import Documents
package import Reconciliation
import Storage

/// Looking at everything: at the start, after an overflow, and now and then for what raises no event.
extension Engine {
    /// Marks every document of both sides and of the base. With `rehash`, nothing is taken as unchanged for
    /// its looks.
    package mutating func markAllDirty(at now: Moment, rehash: Bool = false) {
        counters.rescans += 1
        if rehash {
            accessLog.forgetOwnContents()
            for path in records.keys {
                for side in Side.allCases { records[path]?.sides[side].signature = nil }
            }
        }
        displacedFiles.retryHeldOpen()
        recover(markAll(), at: now)
        resumeCreations(at: now)
        removeOldViews()
        folders.removeEmpty(in: files)
        planToReachAgain(at: now)
        recognizeContainers()
    }

    private static var reachAgain: Duration { .seconds(1) }
    private static var longestReach: Duration { .seconds(60) }

    private mutating func planToReachAgain(at now: Moment) {
        if halt?.isUnreachable == true {
            nextReach = now.uptime + Self.reachAgain
        } else if !unlisted.isEmpty || !unresumed.isEmpty {
            reachDelay = min(reachDelay * 2, Self.longestReach)
            nextReach = now.uptime + reachDelay
        } else {
            reachDelay = Self.reachAgain / 2
            nextReach = nil
        }
    }

    /// Marks every document and changes nothing on the disk. Returns what a run that was killed has left.
    mutating func markAll() -> [(Location, TemporaryName)] {
        wantsScan = false
        unlisted = [:]
        unresumed = []
        var leftovers: [(Location, TemporaryName)] = []
        var found: BothSides<Set<RelativePath>> = BothSides(app: [], group: [])
        for side in Side.allCases {
            unnamable[side] = []
            if let loss = loss(of: side) {
                lossGuard.stop(for: loss)
                continue
            }
            do throws(FileError) {
                leftovers += try scan(Directory(Root(side)), side, &found[side])
                lossGuard.note(reached: side)
            } catch {
                lossGuard.stop(for: Halt(side: side, reason: .unreadable(error)))
            }
        }
        if halt == nil { carryOut(lossGuard.note(missing: missing(beside: found))) }
        for path in Set(records.keys).union(holds.documents).sorted() { debounceQueue.enqueue(path) }
        return leftovers
    }

    /// Documents of the base that one side alone has. `found`: the documents of each side.
    private func missing(
        beside found: BothSides<Set<RelativePath>>
    ) -> [(path: RelativePath, side: Side, digest: Digest)] {
        let gone = records.keys.filter { found.app.contains($0) != found.group.contains($0) }
        return gone.sorted().compactMap { path in
            let side: Side = found.app.contains(path) ? .group : .app
            let isUnlisted = unlisted.keys.contains { $0.side == side && path.isInside($0.path) }
            guard !isUnlisted, let record = records[path] else { return nil }
            return (path, side, record.sides[side].digest)
        }
    }

    /// Marks what lies beneath a directory, there and in the base; and what has its name, for it may have
    /// stood in the way of that.
    package mutating func markDirty(beneath directory: RelativePath?, on side: Side, at now: Moment) {
        var found: Set<RelativePath> = []
        recover((try? scan(Directory(Root(side), directory), side, &found)) ?? [], at: now)
        for path in Set(records.keys).union(holds.documents).sorted()
        where directory.map({ path == $0 || path.isInside($0) }) ?? true {
            hint(path, at: now)
        }
        if let document = directory.flatMap({ document(ofView: $0) }) { hint(document, at: now) }
        if !unlisted.isEmpty, nextReach == nil { planToReachAgain(at: now) }
    }

    private mutating func scan(
        _ top: Directory,
        _ side: Side,
        _ found: inout Set<RelativePath>
    ) throws(FileError) -> [(Location, TemporaryName)] {
        var leftovers: [(Location, TemporaryName)] = []
        var waiting = [top]
        while let directory = waiting.popLast() {
            let entries: [DirectoryEntry]
            do throws(FileError) {
                entries = try files.list(directory)
            } catch {
                // One that cannot be read holds the documents beneath it; only the root stops everything.
                guard let path = directory.path else { throw error }
                if case .noDirectory = error { continue }
                unlisted[Location(side, path)] = error
                continue
            }
            folders.caseFolding.note(directory, in: files)
            for entry in entries {
                guard let name = String(validating: entry.bytes, as: UTF8.self) else {
                    noteUnnamable(entry, in: directory, side)
                    continue
                }
                guard let path = RelativePath.child(of: directory.path, name) else { continue }
                if let temporary = TemporaryName(name) { leftovers.append((Location(side, path), temporary)) }
                if name.hasPrefix(".") { continue }
                if kind(of: entry, Location(side, path)) == .directory {
                    waiting.append(Directory(Root(side), path))
                } else if isDocument(path) {
                    found.insert(path)
                    debounceQueue.enqueue(path)
                } else if let document = document(ofView: path) {
                    debounceQueue.enqueue(document)
                }
            }
        }
        return leftovers
    }

    private func kind(of entry: DirectoryEntry, _ file: Location) -> FileKind? {
        entry.kind ?? (try? files.status(of: file).kind)
    }

    /// A watcher has seen a name that is not UTF-8 there: the directory tells which such names it has now.
    package mutating func noteUnnamable(_ name: String, on side: Side) {
        let parts = name.split(separator: "/")
        let above = parts.dropLast().joined(separator: "/")
        let directory = Directory(Root(side), RelativePath(above))
        let prefix = above.isEmpty ? "" : above + "/"
        unnamable[side].removeAll { $0.hasPrefix(prefix) && !$0.dropFirst(prefix.count).contains("/") }
        for entry in (try? files.list(directory)) ?? []
        where String(validating: entry.bytes, as: UTF8.self) == nil {
            noteUnnamable(entry, in: directory, side)
        }
    }

    private mutating func noteUnnamable(_ entry: DirectoryEntry, in directory: Directory, _ side: Side) {
        guard entry.bytes.suffix(5).elementsEqual(".json".utf8) else { return }
        let name = directory.path.map { "\($0)/\(escaped(entry.bytes))" } ?? escaped(entry.bytes)
        if !unnamable[side].contains(name) { unnamable[side].append(name) }
    }

    /// Second names first: what was to be renamed over the first ones tells that it was not.
    private mutating func recover(_ leftovers: [(Location, TemporaryName)], at now: Moment) {
        let places = Set(leftovers.map(\.0))
        func isSecond(_ place: Location) -> Bool {
            place.temporaryOfSecondName.map { places.contains($0) } ?? false
        }
        let ordered = leftovers.filter { isSecond($0.0) } + leftovers.filter { !isSecond($0.0) }
        let names = leftovers.map(\.1)
        for (place, temporary) in ordered { recover(place, temporary, among: names, at: now) }
    }

    /// A temporary of a run that was killed. Its name tells whose it is and what was written to it. Of one
    /// that is only stuck on its way to the trash more is known.
    mutating func recover(
        _ place: Location,
        _ temporary: TemporaryName,
        among leftovers: [TemporaryName] = [],
        at now: Moment
    ) {
        let understood = discards.take(place)
        guard let side = place.side, !displacedFiles.contains(place) else { return }
        if recoverView(place, temporary) { return }
        // Where nobody knows the document any more, the file stands for itself.
        let document = document(of: temporary, in: place.path.directory) ?? place.path
        if document != place.path, isSecondName(place, of: Location(side, document)) {
            try? files.remove(place)
            return
        }
        // Before what was brought there counts as agreed.
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
        if receive(displaced, at: now) != .nothing { debounceQueue.enqueue(document) }
        flushDiscards()
    }

    /// What was agreed on, where that was to come out: a save that came out instead was made on it.
    private func expectedBytes(
        of temporary: TemporaryName,
        _ document: RelativePath,
        _ side: Side
    ) -> [UInt8]? {
        guard let digest = records[document]?.sides[side].digest, temporary.isExpected(digest) else {
            return nil
        }
        return (try? base(of: document))?.bytes(on: side)
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
            // What stands there may be nobody's edit: it is not judged before that can be told.
            unresumed.insert(document)
            nextReach = nextReach ?? now.uptime + Self.reachAgain
            return false
        } catch {
            // What was agreed is gone: it is judged without.
        }
        return true
    }

    /// The document may be known to either side, or to the base.
    private func document(of temporary: TemporaryName, in directory: RelativePath?) -> RelativePath? {
        for side in Side.allCases {
            for entry in (try? files.list(Directory(Root(side), directory))) ?? [] {
                guard let name = String(validating: entry.bytes, as: UTF8.self),
                    let path = RelativePath.child(of: directory, name), temporary.belongs(to: path)
                else { continue }
                return path
            }
        }
        return records.keys.first { $0.directory == directory && temporary.belongs(to: $0) }
    }

    /// Killed between giving what stands there a second name and renaming over the first.
    private func isSecondName(_ place: Location, of document: Location) -> Bool {
        guard let one = try? files.status(of: place).signature,
            let other = try? files.status(of: document).signature
        else { return false }
        return one.device == other.device && one.inode == other.inode
    }

    func contents(of file: Location) throws(FileError) -> [UInt8] {
        try files.contents(of: file, limit: settings.maxDocument + 1)
    }
}
