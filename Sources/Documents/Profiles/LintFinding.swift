/// Something in a profile that would hurt somebody, though it can be used.
package struct LintFinding: Sendable, Hashable {
    package enum Rule: String, Sendable, CaseIterable {
        /// A field that an older reader reads is no more there.
        case fieldRemoved = "FIELD_REMOVED"
        /// A field is required that older documents have not, and nothing says what it is then.
        case requiredWithoutDefault = "REQUIRED_WITHOUT_DEFAULT"
        /// A field that an older reader counts on need not be there any more.
        case fieldOptional = "FIELD_OPTIONAL"
        /// A field holds what an older reader does not expect in it.
        case typeChanged = "TYPE_CHANGED"
        /// The way back leads to documents that break the older schema.
        case wayBackBroken = "WAY_BACK_BROKEN"
        /// Older readers cannot read the newest version, which is not published in theirs.
        case viewNeeded = "VIEW_NEEDED"
        /// A version is published that no reader needs.
        case viewUnneeded = "VIEW_UNNEEDED"
        /// Nothing says what documents of a version look like.
        case schemaMissing = "SCHEMA_MISSING"
        /// A kind asks for more reloads than a system grants.
        case reloadBudget = "RELOAD_BUDGET"
        /// No document has the name under which rules stand, so that they are for none.
        case nameUnmatched = "NAME_UNMATCHED"
    }

    package var document: String
    /// In the document, or the name of a kind.
    package var place: String
    package var reason: Reason

    package init(document: String, place: String, reason: Reason) {
        self.document = document
        self.place = place
        self.reason = reason
    }

    package var rule: Rule { reason.rule }

    package enum Reason: Sendable, Hashable {
        case hurt(Hurt, from: Int, to: Int)
        /// A lens removes a required field, and has no default for the way back.
        case unrestored(from: Int, to: Int)
        case viewNeeded(version: Int)
        case viewUnneeded(version: Int)
        case noSchema(version: Int)
        /// In a day, at most.
        case reloads(Int, granted: Int)
        case name(NameFault)
    }

    /// What a reader of a version stumbles over in a newer one.
    package enum Hurt: Sendable, Hashable {
        case removed
        /// It was required.
        case optional
        /// Required, and without a default.
        case required
        case type(ShapeKind, now: ShapeKind)
    }

    /// Why no document is likely to have a name.
    package enum NameFault: Sendable, Hashable {
        case pattern, notRelative, temporary
    }
}

extension LintFinding.Reason {
    fileprivate var rule: LintFinding.Rule {
        switch self {
        case .hurt(.removed, _, _): .fieldRemoved
        case .hurt(.required, _, _): .requiredWithoutDefault
        case .hurt(.optional, _, _): .fieldOptional
        case .hurt(.type, _, _): .typeChanged
        case .unrestored: .wayBackBroken
        case .viewNeeded: .viewNeeded
        case .viewUnneeded: .viewUnneeded
        case .noSchema: .schemaMissing
        case .reloads: .reloadBudget
        case .name: .nameUnmatched
        }
    }
}
