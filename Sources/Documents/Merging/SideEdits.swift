/// What of a side's save its program edited.
package struct SideEdits: Sendable {
    /// The save as a whole.
    package let save: JSON
    /// The edits, on top of the base.
    package var json: JSON
    /// The paths of numbers that the program only rounded; its own file keeps them.
    package var rounded: [String] = []
    /// The paths of fields that it must not change; its own file gets the base's values.
    package var kept: [String] = []

    /// Both documents are in the newest version. `isAgreed`: not if the base is lost, and the other side's
    /// document stands for it.
    package init(
        in save: JSON,
        of side: DocumentView.Container,
        since base: JSON,
        isAgreed: Bool = true,
        by rule: DocumentRule
    ) {
        self.save = save
        json = save
        guard !rule.isAsset else { return }
        let rules = rule.mergeRules
        if let exact = RoundedNumbers.restored(json, since: base, rules, rules.readings[side] ?? .double) {
            (json, rounded) = (exact.json, exact.pointers)
        }
        if let places = rules.keeps[side],
            let whole = KeptFields.restored(
                json,
                since: base,
                isAgreed: isAgreed,
                rules,
                places
            )
        {
            (json, kept) = (whole.json, whole.pointers)
        }
    }

    package var areAll: Bool { rounded.isEmpty && kept.isEmpty }

    /// Whether a program may have edited less than its save has, as far as the save alone tells.
    package static func mayBeLess(
        than save: JSON,
        of side: DocumentView.Container,
        _ rule: DocumentRule
    ) -> Bool {
        guard !rule.isAsset else { return false }
        return rule.mergeRules.keeps[side] != nil
            || (rule.mergeRules.readings[side] ?? .double).mayRound(numbersOf: save)
    }
}
