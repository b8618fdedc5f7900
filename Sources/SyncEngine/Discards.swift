import Reconciliation
package import Storage

/// A file that was put aside and understood, and that the trash could not take.
struct Stuck {
    /// What it held then: a save of that content has been merged, and must not be once more.
    let digest: Digest
    let error: FileError
}

/// What was put aside and understood, on its way to the trash.
extension Engine {
    /// Moves it there, off the way of the next change. The journal knows by then what took its place, if it
    /// can be written: until then what came out tells a run after a kill that this was published.
    mutating func flushDiscards() {
        for (place, digest) in discards {
            do throws(FileError) {
                try discard(place, digest)
            } catch .missing {
                // Somebody has taken it away.
            } catch {
                stuck[place] = Stuck(digest: digest, error: error)
            }
        }
        discards.removeAll(keepingCapacity: true)
        // Once for each directory, not for each of its files: some file systems read all of it to tell.
        var tried: Set<Directory> = []
        for place in emptied where tried.insert(place.directory).inserted {
            removeEmptyDirectories(above: place)
        }
        emptied.removeAll(keepingCapacity: true)
    }

    mutating func discard(_ place: Location, _ digest: Digest, limit: Int? = nil) throws(FileError) {
        if originals.contains(digest) { return try files.remove(place) }
        try trash.discard(place, digest: digest, limit: limit ?? settings.maxDocument, in: files)
    }

    /// How full the trash is. It is looked through only where that is not known.
    package var trashUse: TrashUse { (try? trash.use(in: files)) ?? trash.use }

    /// As far as it is known: while it is counted, or much of it deleted, others are not kept waiting.
    package var knownTrashUse: TrashUse { trash.use }
    package var isPruning: Bool { trash.isBusy }

    /// Begins to drop what is too old or too much, and has the journal know what lies there. What takes long
    /// goes on with the turns to come; `whole`: is done now.
    package mutating func pruneTrash(at now: Moment, whole: Bool = false) throws(DecisionFailure) {
        do throws(FileError) {
            try trash.prune(now: now.unixNanoseconds, in: files)
            if whole { try trash.finish(in: files) }
        } catch {
            trash.stop()
            throw .file(error)
        }
        try recordTrash()
    }

    mutating func goOnPruning() {
        guard trash.isBusy else { return }
        do throws(FileError) {
            try trash.goOn(in: files)
        } catch {
            // With the next pruning, not at once.
            trash.stop()
        }
        if !trash.isBusy { try? recordTrash() }
    }

    /// Once the process is about to end: the next one need not count.
    package mutating func recordTrash() throws(DecisionFailure) {
        let text: String?
        do { text = try trash.text(in: files) } catch { throw .file(error) }
        guard let text, text != recordedTrash else { return }
        journal.add([.value(text, key: TrashKeeper.key)])
        recordedTrash = text
    }

    /// What the trash could not take is tried again, ever more rarely; and examined again, for a program may
    /// have written to it since.
    mutating func retryDiscards(at now: Moment) {
        guard !stuck.isEmpty, nextDiscard <= now.uptime else { return }
        // Second names before what was to be renamed over the first ones, as in a scan.
        let again = stuck.keys.sorted { ($0.root.rawValue, $0.path) > ($1.root.rawValue, $1.path) }
        // A person may have emptied the trash by removing it.
        try? files.makeKeepingPlaces()
        for place in again {
            if let name = TemporaryName(place.path.name) {
                recover(place, name, at: now)
            } else {
                stuck[place] = nil
            }
        }
        discardAttempts = stuck.isEmpty ? 0 : discardAttempts + 1
        nextDiscard = stuck.isEmpty ? .zero : now.uptime + backOff(discardAttempts)
    }

    /// Why replaced files still lie in the containers.
    package var trashProblem: String? {
        guard let error = stuck.values.lazy.map(\.error.what).min() else { return nil }
        let count = stuck.count == 1 ? "1 replaced file" : "\(stuck.count) replaced files"
        return "\(count) cannot be moved to the trash: \(error)"
    }
}
