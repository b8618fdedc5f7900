extension LintFinding {
    /// One line.
    package var text: String { "\(document): \(rule.rawValue) `\(place)`: \(reason.text)" }
}

extension LintFinding.Reason {
    package var text: String {
        switch self {
        case .hurt(let hurt, let older, let newer):
            "\(hurt.words) from version \(older) to \(newer)"
        case .unrestored(let newer, let older):
            "version \(older) requires it, and nothing brings it back from version \(newer); "
                + "`remove` takes a `default`"
        case .viewNeeded(let version): "readers of version \(version) need `views`"
        case .viewUnneeded(let version): "readers of version \(version) read the newest one"
        case .noSchema(let version): "version \(version) has no schema"
        case .reloads(let count, let granted):
            "asks for \(count) reloads a day; at most \(granted) come"
        case .name(let fault): fault.words
        }
    }
}

extension LintFinding.Hurt {
    fileprivate var words: String {
        switch self {
        case .removed: "is no more there"
        case .optional: "is no more required"
        case .required: "is required, and has no default,"
        case .type(let kind, let now): "was \(kind.words) and is \(now.words)"
        }
    }
}

extension LintFinding.NameFault {
    fileprivate var words: String {
        switch self {
        case .pattern:
            "only `*` stands for other characters: these rules are for a file that is called just so"
        case .notRelative:
            "a name is the path from the container, as `notes/a.json`: no file is called so"
        case .temporary: "hidden and temporary files are no documents"
        }
    }
}
