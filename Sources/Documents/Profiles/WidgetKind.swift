/// A kind of widget, and the part of the document that it shows.
package struct WidgetKind: Sendable, Hashable {
    package var name: String
    /// Pointers in the newest version; if empty, the whole document.
    package var shows: [JSONPointer]
    /// The sizes in which the widget exists.
    package var families: [WidgetFamily]
    package var refresh: RefreshRule?

    package init(
        name: String,
        shows: [JSONPointer],
        families: [WidgetFamily] = [],
        refresh: RefreshRule? = nil
    ) {
        self.name = name
        self.shows = shows
        self.families = families
        self.refresh = refresh
    }
}

package struct WidgetFamily: Sendable, Hashable {
    package var name: String
    /// The most entries it shows; `nil` if unknown.
    package var most: Int?
}

/// How often a kind requests a reload by itself.
package struct RefreshRule: Sendable, Hashable {
    /// Minutes between two reloads.
    package var every: Int
    /// The smallest and the largest number of minutes that may be set.
    package var least: Int?
    package var most: Int?
}

extension DocumentRule {
    /// The names of the kinds that show a field whose value differs, in the profile's order. `nil` is a
    /// missing document. Both documents must have the newest version.
    package func kinds(changedBetween old: JSON?, and new: JSON?) -> [String] {
        guard let old, let new else {
            return old == nil && new == nil ? [] : kinds.map(\.name)
        }
        if old.bytes == new.bytes { return [] }
        return kinds.filter { $0.isChanged(old, new) }.map(\.name)
    }
}

extension WidgetKind {
    fileprivate func isChanged(_ old: JSON, _ new: JSON) -> Bool {
        guard !shows.isEmpty else { return !old.isEqual(to: new) }
        return shows.contains { pointer in
            switch (old.node(at: pointer), new.node(at: pointer)) {
            case (let a?, let b?): !old.isEqual(a, to: new, b)
            case (nil, nil): false
            default: true
            }
        }
    }
}
