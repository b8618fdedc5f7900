import Documents
import Reconciliation
import Storage

/// Where the bridge publishes views. Kept in the journal, so that the file of a view that is taken out of the
/// profile is known for what it is.
struct PublishedViews: Sendable, Hashable {
    static let key = "views"

    private(set) var places: Set<Location> = []

    /// Those that the profile no longer has. Until their files are gone they are no documents.
    private(set) var old: Set<Location> = []

    init() {}

    /// A line for each: the side, and the path.
    init(text: String, _ profile: Profile?) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count == 2, let side = Side(rawValue: String(fields[0])),
                let path = RelativePath(String(field: Array(fields[1].utf8)[...]))
            else { continue }
            places.insert(Location(side, path))
        }
        let views = Set((profile?.documents ?? []).flatMap { $0.views.compactMap(\.place) })
        old = places.subtracting(views)
    }

    var text: String {
        places.sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
            .compactMap { place in place.side.map { "\($0.rawValue)\t\(place.path.description.asField)\n" } }
            .joined()
    }

    func isOld(_ path: RelativePath) -> Bool { !old.isEmpty && old.contains { $0.path == path } }

    mutating func insert(_ place: Location) { places.insert(place) }

    mutating func insert(old place: Location) {
        places.insert(place)
        old.insert(place)
    }

    mutating func remove(_ place: Location) {
        places.remove(place)
        old.remove(place)
    }
}

extension DocumentView {
    var place: Location? { RelativePath(path).map { Location(Side(container), $0) } }
}

extension Engine {
    /// Before a view is there for the first time. What its name stood for until then is a document no more.
    mutating func remember(view place: Location) throws(JournalError) {
        guard !publishedViews.places.contains(place) else { return }
        var views = publishedViews
        views.insert(place)
        var entries = [JournalEntry.value(views.text, key: PublishedViews.key)]
        if let last = try journal.lastGenerations(of: [place.path])[place.path] {
            entries.append(.gone(place.path, generation: last))
        }
        try journal.record(entries)
        publishedViews = views
    }

    /// The bridge makes views read-only. A file that can be written is somebody's own, and a document.
    mutating func removeOldViews() {
        for place in publishedViews.old.sorted(by: { $0.path < $1.path }) {
            var views = publishedViews
            views.remove(place)
            do {
                try removeOldView(place)
                try journal.record([.value(views.text, key: PublishedViews.key)])
            } catch {
                // The next look at everything tries again; until then it is no document.
                continue
            }
            publishedViews = views
            if isDocument(place.path) { debounceQueue.enqueue(place.path) }
        }
    }

    /// Views that the profile no longer has, and that a journal which has gone back does not know either.
    func forgottenViews(in input: PlanInput) -> [Location] {
        Side.allCases.compactMap { side in
            let place = Location(side, input.document)
            guard input.snapshot(side)?.mark?.kind == .view, let found = try? status(ofView: place),
                found.mode & 0o222 == 0
            else { return nil }
            return place
        }
    }

    /// `true`: what was looked at is none of the documents, but a view that is taken away.
    mutating func removeForgottenViews(in input: PlanInput) -> Bool {
        let views = forgottenViews(in: input)
        guard !views.isEmpty else { return false }
        for place in views { publishedViews.insert(old: place) }
        removeOldViews()
        flushDiscards()
        return true
    }

    private mutating func removeOldView(_ place: Location) throws(FileError) {
        do throws(FileError) {
            guard let found = try status(ofView: place), found.mode & 0o222 == 0 else { return }
        } catch .notRegular {
            return
        }
        try takeAway(place)
    }
}
