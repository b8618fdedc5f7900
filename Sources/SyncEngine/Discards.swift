import Reconciliation
import Storage

/// What was put aside and understood, on its way to the trash.
extension Engine {
    /// Moves it there, off the way of the next change.
    mutating func emptyHands() {
        for (place, digest) in discards {
            do throws(FileError) {
                try files.discard(place, digest: digest, limit: settings.maxDocument)
            } catch .missing {
                // Somebody has taken it away.
            } catch {
                stuck[place] = error
            }
        }
        discards.removeAll(keepingCapacity: true)
        for place in emptied { removeEmptyDirectories(above: place) }
        emptied.removeAll(keepingCapacity: true)
    }

    /// What the trash could not take is tried again, ever more rarely; and examined again, for a program may
    /// have written to it since.
    mutating func retryDiscards(at now: Moment) {
        guard !stuck.isEmpty, nextDiscard <= now.uptime else { return }
        let again = stuck.keys.sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
        stuck = [:]
        // A person may have emptied the trash by removing it.
        try? files.makeKeepingPlaces()
        for place in again {
            if let name = TemporaryName(place.path.name) { recover(place, name, at: now) }
        }
        discardAttempts = stuck.isEmpty ? 0 : discardAttempts + 1
        nextDiscard = stuck.isEmpty ? .zero : now.uptime + backOff(discardAttempts)
    }

    /// Why replaced files still lie in the containers.
    package var trashProblem: String? {
        guard let error = stuck.values.lazy.map(\.what).min() else { return nil }
        let count = stuck.count == 1 ? "1 replaced file" : "\(stuck.count) replaced files"
        return "\(count) cannot be moved to the trash: \(error)"
    }
}
