// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// Displaced files of the bridge that are not removed yet: a program may have one open, and the bridge
/// examines its saves once the program closes it. The bridge's own writes under such a name never got there
/// by a rename.
struct DisplacedFiles {
    private var places: Set<Place> = []

    private struct Place: Hashable {
        let root: Int
        let path: Bytes
    }

    /// Without displaced files, no close is relevant.
    func concerns(_ event: Event) -> Bool { !places.isEmpty || event.has(IN_MOVED_TO) }

    /// Whether the event closes one of them after writing.
    mutating func isClosed(_ event: Event, _ root: Int, _ path: Bytes) -> Bool {
        guard event.name.isTemporary, concerns(event) else { return false }
        let place = Place(root: root, path: path)
        if event.has(IN_MOVED_TO) {
            places.insert(place)
        } else if event.has(IN_MOVED_FROM | IN_DELETE) {
            places.remove(place)
        }
        return event.has(IN_CLOSE_WRITE) && places.contains(place)
    }
}
