/// A kind of widget, and the part of the document that it shows.
package struct WidgetKind: Sendable, Hashable {
    package var name: String
    /// Pointers in the newest version; if empty, the whole document.
    package var shows: [JSONPointer]
    /// Patterns of values in what it shows whose changes are invisible; `*` matches any key or index.
    package var ignores: [JSONPointer] = []
    /// What it computes; if it is not empty, it shows that and nothing else.
    package var content = ComputedContent()
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
    /// The names of the kinds that show something else in any family, in the profile's order.
    package func kinds(changedBetween old: JSON?, and new: JSON?, in setting: WidgetSetting) -> [String] {
        kinds.filter { $0.isChanged(from: old, to: new, self, in: setting) }.map(\.name)
    }
}

extension WidgetKind {
    /// Whether it shows something else in any family, or another state. `nil` is a missing document; both
    /// must have the newest version of the rule.
    package func isChanged(
        from old: JSON?,
        to new: JSON?,
        _ rule: DocumentRule,
        in setting: WidgetSetting
    ) -> Bool {
        guard let old, let new else { return old != nil || new != nil }
        if old.bytes == new.bytes { return false }
        // It shows the text of a state beside the document, or in its place.
        let states = rule.states
        let isOtherState =
            !states.isEmpty
            && states.state(of: old, in: setting).identity != states.state(of: new, in: setting).identity
        return isOtherState || isChanged(old, new, in: setting)
    }

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

    /// Of the families with these names, or of all that it has if there are none; one if all show the same.
    package func settings(of families: Set<String> = [], like setting: WidgetSetting) -> [WidgetSetting] {
        if !content.dependsOnWidget { return [setting] }
        if families.isEmpty {
            return self.families.isEmpty ? [setting] : self.families.map { setting.with($0) }
        }
        // A family that the profile does not name has room for all.
        return families.sorted().map { name in
            setting.with(self.families.first { $0.name == name } ?? WidgetFamily(name: name, most: nil))
        }
    }

    fileprivate func isChanged(_ old: JSON, _ new: JSON, in setting: WidgetSetting) -> Bool {
        guard content.isEmpty else {
            return settings(like: setting).contains {
                ShownValues(of: old, content, in: $0).canonicalBytes
                    != ShownValues(of: new, content, in: $0).canonicalBytes
            }
        }
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
