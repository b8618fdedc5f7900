package import Documents
package import Model

/// The locations of published views. The journal stores them, so that the file of a view that was removed
/// from the profile is still recognized.
package struct PublishedViews: Sendable, Hashable {
    package static let key = "views"

    package private(set) var places: Set<Location> = []

    /// Views that the profile no longer has. Until their files are removed, they are not documents.
    package private(set) var old: Set<Location> = []

    package init() {}

    /// One line each: the side and the path.
    package init(text: String, _ profile: Profile?) {
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            guard fields.count == 2, let side = Side(rawValue: String(fields[0])),
                let path = RelativePath(String(field: Array(fields[1].utf8)[...]))
            else { continue }
            places.insert(Location(side, path))
        }
        old = places.filter { place in
            guard let side = place.side else { return true }
            return profile?.hasView(place.path.description, in: side == .app ? .app : .group) != true
        }
    }

    package var text: String {
        places.sorted { ($0.root.rawValue, $0.path) < ($1.root.rawValue, $1.path) }
            .compactMap { place in place.side.map { "\($0.rawValue)\t\(place.path.description.asField)\n" } }
            .joined()
    }

    package func isOld(_ path: RelativePath) -> Bool { !old.isEmpty && old.contains { $0.path == path } }

    package mutating func insert(_ place: Location) { places.insert(place) }

    package mutating func insert(old place: Location) {
        places.insert(place)
        old.insert(place)
    }

    package mutating func remove(_ place: Location) {
        places.remove(place)
        old.remove(place)
    }
}

extension DocumentView {
    var place: Location? { RelativePath(path).map { Location(Side(container), $0) } }
}
