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

    package init(text: String, _ profile: Profile?) {
        places = Set(lines: text)
        old = places.filter { place in
            guard let side = place.side else { return true }
            return profile?.hasView(place.path.description, in: side == .app ? .app : .group) != true
        }
    }

    package var text: String { places.lines }

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
