// SPDX-License-Identifier: GPL-2.0-only

import Glibc

/// Tells the temporary files that the bridge writes from those that it has displaced. A program may have a
/// displaced one open, and the bridge examines its saves once the program closes it.
///
/// What the bridge writes under such a name, it creates there. What it displaced got there by a rename, or
/// was there before: an earlier run left it.
struct TemporaryFiles {
    private var created: Set<Place> = []

    private struct Place: Hashable {
        let root: Int
        let path: Bytes
    }

    /// Whether the event closes a displaced file after writing.
    mutating func isDisplacedFileClosed(_ event: Event, _ root: Int, _ path: Bytes) -> Bool {
        guard event.name.isTemporary else { return false }
        let place = Place(root: root, path: path)
        if event.has(IN_CREATE) {
            created.insert(place)
        } else if event.has(IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE) {
            created.remove(place)
        }
        return event.has(IN_CLOSE_WRITE) && !created.contains(place)
    }
}
