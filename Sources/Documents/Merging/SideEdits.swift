/// A side's save without what its program did not edit.
package struct SideEdits: Sendable {
    /// What it edited, on top of the base.
    package var json: JSON
    /// The paths of numbers that it only rounded; its own file keeps them.
    package var rounded: [String] = []

    /// Both documents are in the newest version.
    package init(in save: JSON, of side: DocumentView.Container, since base: JSON, by rule: DocumentRule) {
        json = save
        guard !rule.isAsset,
            let restored = RoundedNumbers.restored(
                save,
                since: base,
                rule.mergeRules,
                rule.mergeRules.readings[side]
            )
        else { return }
        json = restored.json
        rounded = restored.pointers
    }

    /// Whether a program may have edited less than its save has, as far as the save alone tells.
    package static func mayBeLess(than save: JSON, of side: DocumentView.Container, _ rule: DocumentRule)
        -> Bool
    {
        !rule.isAsset && rule.mergeRules.readings[side].mayRound(numbersOf: save)
    }
}
