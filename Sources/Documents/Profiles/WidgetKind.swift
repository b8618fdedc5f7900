/// A kind of widget, and the part of the document that it shows.
package struct WidgetKind: Sendable, Hashable {
    package var name: String
    /// Pointers in the newest version; if empty, the whole document.
    package var shows: [JSONPointer]
    /// Patterns of values in what it shows whose changes are invisible; `*` matches any key or index.
    package var ignores: [JSONPointer] = []
    /// The sizes in which the widget exists.
    package var families: [WidgetFamily]
    package var refresh: RefreshRule?
    /// `nil` if the profile does not say.
    package var budget: ReloadBudget?
    /// Milliseconds within which several changes cause one reload; `nil` if the profile does not say.
    package var coalesce: Int64?
    /// `nil`: a reload is told once.
    package var retry: RetryRule?

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

/// How often a reload is told again to those that must acknowledge it and have not.
package struct RetryRule: Sendable, Hashable {
    package var times: Int
    /// The time between, in milliseconds.
    package var after: Int64

    package init(times: Int, after: Int64) { (self.times, self.after) = (times, after) }
}

/// How many reloads a system grants a widget within 24 hours.
package enum ReloadBudget: Sendable, Hashable {
    case limited(Int)
    case unlimited

    /// What a phone grants at least.
    package static let standard = ReloadBudget.limited(40)

    /// `nil` for a text that is neither a whole number nor `unlimited`.
    package init?(_ text: String) {
        if text == "unlimited" {
            self = .unlimited
        } else if let count = Int(text), count >= 0, String(count) == text {
            self = .limited(count)
        } else {
            return nil
        }
    }

    /// `nil` if there is no limit.
    package var limit: Int? {
        switch self {
        case .limited(let count): count
        case .unlimited: nil
        }
    }

    package var text: String { limit.map { "\($0)" } ?? "unlimited" }
}

extension DocumentRule {
    /// The names of the kinds that show a field whose value differs, or another error, in the profile's
    /// order. `nil` is a missing document. Both documents must have the newest version.
    package func kinds(changedBetween old: JSON?, and new: JSON?) -> [String] {
        guard let old, let new else {
            return old == nil && new == nil ? [] : kinds.map(\.name)
        }
        if old.bytes == new.bytes { return [] }
        // A kind shows the text of an error in place of the document.
        let isOtherError = !errors.isEmpty && errorState(of: old)?.name != errorState(of: new)?.name
        return kinds.filter { isOtherError || $0.isChanged(old, new) }.map(\.name)
    }
}

extension WidgetKind {
    /// It ignores all that it shows.
    var showsNothing: Bool {
        (shows.isEmpty ? [.root] : shows).allSatisfy { pointer in
            ignores.contains { ignored in
                ignored.tokens.count == pointer.tokens.count
                    && zip(ignored.tokens, pointer.tokens).allSatisfy {
                        $0 == $1 || $0 == JSONPointer.anyToken
                    }
            }
        }
    }

    fileprivate func isChanged(_ old: JSON, _ new: JSON) -> Bool {
        guard ignores.isEmpty else { return visibleContent(of: old) != visibleContent(of: new) }
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
