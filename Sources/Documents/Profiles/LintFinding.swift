/// A problem with a profile that can be used nevertheless.
package struct LintFinding: Sendable, Hashable {
    package enum Rule: String, Sendable, CaseIterable {
        /// A field that older readers read was removed.
        case fieldRemoved = "FIELD_REMOVED"
        /// A field is required that older documents lack, and it has no default.
        case requiredWithoutDefault = "REQUIRED_WITHOUT_DEFAULT"
        /// A field that older readers require became optional.
        case fieldOptional = "FIELD_OPTIONAL"
        /// A field has a type that older readers do not expect.
        case typeChanged = "TYPE_CHANGED"
        /// Migrating back results in documents that violate the older schema.
        case wayBackBroken = "WAY_BACK_BROKEN"
        /// What the lenses make is not recognized as the version to which they lead.
        case versionUnrecognized = "VERSION_UNRECOGNIZED"
        /// Older readers cannot read the newest version, and their version is not published.
        case viewNeeded = "VIEW_NEEDED"
        /// A version is published that no reader needs.
        case viewUnneeded = "VIEW_UNNEEDED"
        /// A version has no schema.
        case schemaMissing = "SCHEMA_MISSING"
        /// A kind requests more reloads than a system grants.
        case reloadBudget = "RELOAD_BUDGET"
        /// Two documents have one kind, with different rules for its reloads.
        case kindRules = "KIND_RULES"
        /// A kind says how many entries its families show, and nothing that it shows depends on that.
        case familyUnused = "FAMILY_UNUSED"
        /// A kind has daily reloads, and the profile no time zone.
        case timeZoneMissing = "TIME_ZONE_MISSING"
        /// No document is likely to match the name of a rule.
        case nameUnmatched = "NAME_UNMATCHED"
        /// Two documents have the same key in a store, or the same file.
        case storeShared = "STORE_SHARED"
        /// Two documents are in one file, which is read in two ways.
        case storeMismatch = "STORE_MISMATCH"
        /// No version of the document has the field of a store.
        case storeFieldUnknown = "STORE_FIELD_UNKNOWN"
        /// A field of a store may have values that its type cannot represent.
        case storeTypeUnfit = "STORE_TYPE_UNFIT"
    }

    package var document: String
    /// The pointer in the document, the name of a kind, or a platform and a side, with the key of a field.
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
        /// A lens removes a required field and has no default for the way back.
        case unrestored(from: Int, to: Int)
        /// `document` is one of version `from` that shows it, if it is short.
        case unrecognized(from: Int, to: Int, document: String?)
        case viewNeeded(version: Int)
        case viewUnneeded(version: Int)
        case noSchema(version: Int)
        /// The requested reloads per day, and the most that are granted.
        case reloads(Int, granted: Int)
        /// What this document, the first one with the kind, says of its reloads counts.
        case otherRules(than: String)
        /// The family whose number nothing uses.
        case unusedNumber(family: String)
        /// A time of day is that of the machine.
        case noTimeZone
        case name(NameFault)
        case store(StoreFault)
    }

    /// What breaks a reader of an older version.
    package enum Hurt: Sendable, Hashable {
        case removed
        /// The field was required.
        case optional
        /// The field is required, and has no default.
        case required
        case type(ShapeKind, now: ShapeKind)
    }

    /// Why a store cannot be right.
    package enum StoreFault: Sendable, Hashable {
        /// As in the file.
        case sharedKey(String, document: String)
        case sharedFile(String, document: String)
        case twoFormats(file: String, StoreFileKind, StoreFileKind, document: String)
        /// The file has markers for real numbers by one store only.
        case twoMarkers(file: String, document: String)
        case unknownField(JSONPointer)
        case unfitType(JSONPointer, ShapeKind, StoreFieldType, version: Int)
    }

    /// Why a document is unlikely to have a name.
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
        case .unrecognized: .versionUnrecognized
        case .viewNeeded: .viewNeeded
        case .viewUnneeded: .viewUnneeded
        case .noSchema: .schemaMissing
        case .reloads: .reloadBudget
        case .otherRules: .kindRules
        case .unusedNumber: .familyUnused
        case .noTimeZone: .timeZoneMissing
        case .name: .nameUnmatched
        case .store(let fault): fault.rule
        }
    }
}

extension LintFinding.StoreFault {
    fileprivate var rule: LintFinding.Rule {
        switch self {
        case .sharedKey, .sharedFile: .storeShared
        case .twoFormats, .twoMarkers: .storeMismatch
        case .unknownField: .storeFieldUnknown
        case .unfitType: .storeTypeUnfit
        }
    }
}
