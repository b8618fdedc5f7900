import Documents
import Model
import Replica
import StateStore

/// What a run that was killed has left.
extension ReplicaWriter {
    /// Every document there is, after what a run that was killed has left was put in order.
    mutating func documents(at now: Moment) throws(FileError) -> [RelativePath] {
        let listing = try replica.list(nil)
        putInOrder(listing.temporaries, at: now)
        return listing.files.filter { profile.isDocument($0.description) }.sorted()
    }

    /// Second names first: what was to be renamed over the first ones tells that it was not.
    private mutating func putInOrder(_ leftovers: [(place: Location, name: TemporaryName)], at now: Moment) {
        let places = Set(leftovers.map(\.place))
        func isSecond(_ place: Location) -> Bool {
            place.temporaryOfSecondName.map { places.contains($0) } ?? false
        }
        for leftover in leftovers where isSecond(leftover.place) { putInOrder(leftover, at: now) }
        for leftover in leftovers where !isSecond(leftover.place) { putInOrder(leftover, at: now) }
        flushDiscards()
    }

    /// Its name tells whose it is, what was written to it and what was to come out.
    private mutating func putInOrder(_ leftover: (place: Location, name: TemporaryName), at now: Moment) {
        let (place, name) = leftover
        // Where its document is gone, the file stands for itself.
        let document = replica.document(of: name, in: place.path.directory) ?? place.path
        if document != place.path, replica.isSecondName(place, of: document) {
            try? replica.remove(place)
            return
        }
        let displaced = DisplacedFile(
            side: side,
            document: document,
            place: place,
            expected: .marked(name),
            due: now.uptime
        )
        receive(displaced, at: now)
    }
}
