/// A kind of widget, and what of the document can be seen on it.
package struct WidgetKind: Sendable, Hashable {
    package var name: String
    /// In the newest version. Empty: the whole document.
    package var shows: [JSONPointer]
    /// The sizes it comes in.
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
    /// How many entries it shows at most; `nil` where that is not said.
    package var most: Int?
}

/// How often a kind asks for a reload by itself.
package struct RefreshRule: Sendable, Hashable {
    /// Minutes between two.
    package var every: Int
    /// Minutes below which nobody may set it, and above.
    package var least: Int?
    package var most: Int?
}

extension DocumentRule {
    /// The names of the kinds whose fields differ by value, in the profile's order. `nil` is an absent
    /// document. Both are given in the newest version.
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
