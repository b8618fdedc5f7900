import Documents
import Model
import Replica
import StateStore

/// Files left by a killed run.
extension ReplicaWriter {
    /// All documents, after the files of a killed run are resolved.
    mutating func documents(at now: Moment) throws(FileError) -> [RelativePath] {
        let listing = try replica.list(nil)
        putInOrder(listing.temporaries, at: now)
        return listing.files.filter { profile.isDocument($0.description) && !rule(for: $0).isAsset }
            .sorted()
    }

    /// Hard links come first: they show that the rename of the other file did not happen.
    private mutating func putInOrder(_ leftovers: [(place: Location, name: TemporaryName)], at now: Moment) {
        let places = Set(leftovers.map(\.place))
        func isSecond(_ place: Location) -> Bool {
            place.temporaryOfSecondName.map { places.contains($0) } ?? false
        }
        for leftover in leftovers where isSecond(leftover.place) { putInOrder(leftover, at: now) }
        for leftover in leftovers where !isSecond(leftover.place) { putInOrder(leftover, at: now) }
        flushDiscards()
    }

    /// Its name identifies its document, the content written to it, and the content that it was to
    /// displace.
    private mutating func putInOrder(_ leftover: (place: Location, name: TemporaryName), at now: Moment) {
        let (place, name) = leftover
        // If its document does not exist, the file itself is the document.
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
