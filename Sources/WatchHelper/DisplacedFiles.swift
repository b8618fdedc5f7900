// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// Files that the bridge has put aside and not taken away yet: a program may have one of them open, and what
/// it has saved there is looked for once it closes it. What the bridge itself writes under such a name never
/// came there by a renaming.
struct DisplacedFiles {
    private var places: Set<Place> = []

    private struct Place: Hashable {
        let root: Int
        let path: Bytes
    }

    /// Where nothing was put aside, none is closed.
    func concerns(_ event: Event) -> Bool { !places.isEmpty || event.has(IN_MOVED_TO) }

    /// It is one of them, and a writer has closed it.
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
