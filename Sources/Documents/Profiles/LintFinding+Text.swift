extension LintFinding {
    /// One line.
    package var text: String { "\(document): \(rule.rawValue) `\(place)`: \(reason.text)" }
}

extension LintFinding.Reason {
    package var text: String {
        switch self {
        case .hurt(let hurt, let older, let newer):
            "\(hurt.words) between versions \(older) and \(newer)"
        case .unrestored(let newer, let older):
            "version \(older) requires it, and migrating back from version \(newer) does not restore it; "
                + "give `remove` a `default`"
        case .unrecognized(let from, let to, let document):
            "a document of version \(from)\(document.map { ", such as `\($0)`," } ?? "") is not recognized as "
                + "version \(to) after its migration; a lens must make what `when` requires"
        case .viewNeeded(let version): "readers of version \(version) need `views`"
        case .viewUnneeded(let version): "readers of version \(version) read the newest one"
        case .noSchema(let version): "version \(version) has no schema"
        case .reloads(let count, let granted):
            "requests \(count) reloads a day; the system grants at most \(granted)"
        case .otherRules(let document): "only what `\(document)` says of its reloads counts"
        case .unusedNumber(let family):
            "nothing that it shows depends on how many entries `\(family)` has; give the kind `rows`"
        case .noTimeZone:
            "has times of day, which are those of the time zone of each machine; give the profile a "
                + "`timeZone`, or say `timeZone: machine`"
        case .name(let fault): fault.words
        case .store(let fault): fault.words
        }
    }
}

extension LintFinding.Hurt {
    fileprivate var words: String {
        switch self {
        case .removed: "is removed"
        case .optional: "becomes optional"
        case .required: "becomes required without a default"
        case .type(let kind, let now): "changes from \(kind.words) to \(now.words)"
        }
    }
}

extension LintFinding.NameFault {
    fileprivate var words: String {
        switch self {
        case .pattern:
            "only `*` is a wildcard: this rule applies only to a file with exactly this name"
        case .notRelative:
            "a name is a path in the container, such as `notes/a.json`: no file has this name"
        case .temporary: "hidden and temporary files are not documents"
        }
    }
}

extension LintFinding.StoreFault {
    fileprivate var words: String {
        switch self {
        case .sharedKey(let key, let document): "`\(document)` has the same key `\(key)`"
        case .sharedFile(let file, let document): "`\(document)` is the same file `\(file)`"
        case .twoFormats(let file, let kind, let other, let document):
            "`\(file)` is \(kind.words) here, and \(other.words) in the store of `\(document)`"
        case .twoMarkers(let file, let document):
            "`markers` of `\(file)` differ from those in the store of `\(document)`"
        case .unknownField(let pointer): "no version of the document has `\(pointer)`"
        case .unfitType(let pointer, let kind, let type, let version):
            "`\(pointer)` of version \(version) is \(kind.words), which `\(type.rawValue)` cannot represent"
        }
    }
}

extension StoreFileKind {
    fileprivate var words: String {
        switch self {
        case .json: "a JSON file"
        case .propertyList: "a property list"
        case .preferences: "a preferences file"
        case .manifest: "a manifest"
        case .database: "a database"
        }
    }
}
