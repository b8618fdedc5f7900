import Documents

extension ErrorProse {
    init(json error: JSONFileError) {
        switch error {
        case .unreadable(let error): self.init(error)
        case .notJSON(let path, let error): self.init(notJSON: path, error)
        case .patch(let path, .malformed(let position, let expected)):
            self.init("not a patch: expected \(expected)", at: "\(path):\(position.text)", "correct it there")
        case .patch(let path, let error):
            self.init("the patch does not fit, \(error.reason)", at: path, "nothing was applied")
        case .noMergePatch(let path):
            self.init(
                "no merge patch can represent this: a value becomes `null`, or a key is duplicated",
                at: path,
                "use --format patch"
            )
        case .unmergeable(let paths, let error):
            let places = paths.joined(separator: " and ")
            self.init("cannot merge: \(error.reason)", at: places, "correct it there")
        case .untranslatable(let path, let error):
            self.init("cannot migrate: \(error.reason)", at: path, "correct it, or leave out --profile")
        case .newerVersion(let path, let version):
            self.init(
                newerVersionWords(version),
                at: path,
                "take a newer profile",
                .newerVersion
            )
        case .unreadableVersion(let path, let fault):
            self.init(
                "cannot tell the version: \(fault.reason)",
                at: path,
                "correct it, or leave out --profile"
            )
        }
    }

    /// A JSON file that the profile rejects.
    init(_ problem: ProfileVerdict.Problem, in path: String) {
        let located = problem.located
        let place = located.position.map { "\(path):\($0.text)" } ?? path
        if case .newerVersion = problem {
            self.init(located.withoutPosition, at: place, "take a newer profile", .newerVersion)
        } else {
            self.init(located.withoutPosition, at: place, "correct it there")
        }
    }

    init(notJSON path: String, _ error: JSONError) {
        self.init("not JSON", at: "\(path):\(error.reason)", "correct it there")
    }

    /// A conflict of `json merge`; `winner` names the file whose value the result has.
    init(_ conflict: MergeConflict, of first: String, and second: String, winner: String) {
        let (base, app, group) = (conflict.base, conflict.app, conflict.group)
        let was = base.map { "\(Self.short($0)) became" } ?? "added as"
        let what = "conflict: \(was) \(Self.words(app)) in \(first), \(Self.words(group)) in \(second)"
        let place = conflict.pointer.isEmpty ? "the whole document" : conflict.pointer
        self.init(what, at: place, "the merge has \(winner)", .needsDecision)
    }

    private static func words(_ value: [UInt8]?) -> String { value.map(short) ?? "nothing" }

    private static func short(_ value: [UInt8]) -> String {
        let text = String(decoding: value, as: UTF8.self)
        let most = 60
        return text.count > most ? "\(text.prefix(most))…" : text
    }
}

extension ProfileVerdict.Problem {
    var located: LocatedText {
        switch self {
        case .newerVersion(let version): LocatedText(newerVersionWords(version))
        case .unreadableVersion(let fault): fault.located.behind("cannot tell the version: ")
        case .violation(let version, let violation):
            violation.located.behind("it violates the schema of version \(version): ")
        }
    }
}

extension ProfileVerdict.Problem {
    var json: JSONText {
        var pointer: String?
        if case .violation(_, let violation) = self { pointer = violation.pointer }
        return [
            "pointer": JSONText(pointer), "line": JSONText(located.position?.line),
            "column": JSONText(located.position?.column), "reason": JSONText(located.withoutPosition),
        ]
    }
}

extension CheckedFile {
    var isValid: Bool { fault == nil && profile?.problems.isEmpty != false }
}
