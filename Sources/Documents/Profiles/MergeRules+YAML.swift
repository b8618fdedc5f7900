extension MergeRules {
    static let keys = ["identity", "tuples", "ownership", "merge", "reads", "keeps"]

    /// Reads the rules from the members of a document in the profile.
    init(_ fields: [String: YAMLField]) throws(ProfileError) {
        for (array, field) in try fields["identity"]?.members() ?? [] {
            identity.append(try ElementIdentity(array: try field.pointer(named: array), field))
        }
        tuples = try fields["tuples"]?.pointers() ?? []
        let ownership = try fields["ownership"]?.fields(["app", "group"]) ?? [:]
        // The app owns everything else, so its entry has no effect; it is only checked.
        _ = try ownership["app"]?.pointers()
        ownedByGroup = try ownership["group"]?.pointers() ?? []
        for (place, field) in try fields["merge"]?.members() ?? [] {
            self.fields.append((try field.pointer(named: place), try MergeRule(field)))
        }
        let sides = DocumentView.Container.allCases.map(\.rawValue)
        let reads = try fields["reads"]?.fields(sides) ?? [:]
        let keeps = try fields["keeps"]?.fields(sides) ?? [:]
        for side in DocumentView.Container.allCases {
            readings[side] = try reads[side.rawValue].map { field throws(ProfileError) in try field.reading()
            }
            self.keeps[side] = try keeps[side.rawValue]?.kept()
        }
    }
}

extension YAMLField {
    fileprivate func reading() throws(ProfileError) -> NumberReading {
        let text = try text()
        guard let reading = NumberReading(rawValue: text) else {
            throw fail(.expected(.oneOf(NumberReading.allCases.map(\.rawValue)), .text(text)))
        }
        return reading
    }

    /// The fields that a side keeps.
    fileprivate func kept() throws(ProfileError) -> [JSONPointer] {
        for field in try list() where try field.pointer() == .root { throw field.fail(.rule(.keepsAll)) }
        return try pointers()
    }
}

extension ElementIdentity {
    fileprivate init(array: JSONPointer, _ field: YAMLField) throws(ProfileError) {
        guard field.isMapping else {
            self.init(array: array, key: try field.bytes())
            return
        }
        let fields = try field.fields(["field", "renumber", "references"])
        guard let key = fields["field"] else {
            throw field.fail(.missing("field", .identity))
        }
        self.init(array: array, key: try key.bytes())
        isRenumbered = try fields["renumber"]?.flag() ?? false
        references = try fields["references"]?.pointers() ?? []
        guard isRenumbered || references.isEmpty else {
            throw field.fail(.rule(.referencesWithoutRenumber))
        }
    }
}

extension MergeRule {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        guard field.isMapping else {
            switch try field.text() {
            case "newest": self = .newest
            case "max": self = .max
            case "min": self = .min
            case "sum": self = .sum
            case "set": self = .set
            default: throw field.fail(.expected(.mergeRule))
            }
            return
        }
        let fields = try field.fields(["derived", "mine"])
        switch (fields["derived"], fields["mine"]) {
        case (let derived?, nil): self = .derived(try Derivation(derived))
        case (nil, let mine?):
            switch try mine.text() {
            case "app": self = .mine(isGroup: false)
            case "group": self = .mine(isGroup: true)
            default: throw mine.fail(.expected(.either("app", "group")))
            }
        default: throw field.fail(.either("derived", "mine", .mergeRule))
        }
    }
}

extension Derivation {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        try self.init(try field.fields(["count", "sum", "where"]), of: field)
    }

    init(_ fields: [String: YAMLField], of field: YAMLField) throws(ProfileError) {
        let values: YAMLField
        switch (fields["count"], fields["sum"]) {
        case (let count?, nil): (function, values) = (.count, count)
        case (nil, let sum?): (function, values) = (.sum, sum)
        default: throw field.fail(.either("count", "sum", .derivation))
        }
        self.values = try values.pointer()
        guard self.values.tokens.contains(JSONPointer.anyToken) else {
            throw values.fail(.expected(.wildcard, .text("\(self.values)")))
        }
        if let filter = fields["where"] {
            guard function == .count else { throw filter.fail(.rule(.filterWithoutCount)) }
            self.filter = try filter.schema()
        }
    }
}

extension YAMLField {
    /// The name of this member as a pointer.
    fileprivate func pointer(named name: String) throws(ProfileError) -> JSONPointer {
        guard let pointer = JSONPointer(name) else {
            throw fail(.expected(.pointerBefore, .text(name)))
        }
        return pointer
    }

    func flag() throws(ProfileError) -> Bool {
        switch try text() {
        case "true", "True", "TRUE": return true
        case "false", "False", "FALSE": return false
        default: throw fail(.expected(.either("true", "false")))
        }
    }
}

// MARK: Checking the rules against the newest schema

extension ProfileCheck {
    func checkMergeRules(_ newest: Shape) throws(ProfileError) {
        let members = try fields["merge"]?.members() ?? []
        for ((_, field), (place, rule)) in zip(members, self.rule.mergeRules.fields) {
            do throws(ShapeFault) {
                try rule.check(newest.inside(place.tokens[...]), newest, place)
            } catch {
                throw field.fail(.unfit(.mergeRule, error))
            }
        }
        for (_, field) in try fields["keeps"]?.members() ?? [] {
            for field in try field.list() {
                let place = try field.pointer()
                do throws(ShapeFault) {
                    _ = try newest.inside(place.tokens[...])
                } catch {
                    throw field.fail(.unfit(.kept, error))
                }
            }
        }
        let identities = try fields["identity"]?.members() ?? []
        for ((_, field), identity) in zip(identities, self.rule.mergeRules.identity) {
            do throws(ShapeFault) {
                let list = try newest.inside(identity.array.tokens[...])
                if case .object = list { throw ShapeFault.mismatch(.array, found: .object) }
                let item = try list.inside([JSONPointer.anyToken])
                for place in [JSONPointer(tokens: [identity.key])] + identity.references {
                    _ = try item.inside(place.tokens[...])
                }
            } catch {
                // A schema need not list what is in the elements, unless the bridge gives them new numbers.
                if case .noField = error, !identity.isRenumbered { continue }
                throw field.fail(.unfit(.identity, error))
            }
        }
    }
}

extension ProfileCheck {
    /// Somebody must be able to change each field.
    func checkKept() throws(ProfileError) {
        guard let field = fields["keeps"] else { return }
        if rule.direction.source != nil { throw field.fail(.rule(.keptOneWay)) }
        let (app, group) = (rule.mergeRules.keeps[.app] ?? [], rule.mergeRules.keeps[.group] ?? [])
        for place in app {
            guard group.contains(where: { place.isInside($0) || $0.isInside(place) }) else { continue }
            throw field.fail(.rule(.keptByBoth("\(place)")))
        }
    }
}

// MARK: Descriptions

extension DocumentRule {
    /// The merge rules other than the default, by path, as `profile show` prints them.
    package var mergeWords: [(place: String, words: String)] { mergeRules.words }
}

extension MergeRules {
    fileprivate var words: [(place: String, words: String)] {
        identity.map { ($0.array.description, $0.words) }
            + tuples.map { ($0.description, "elements identified by index") }
            + fields.map { ($0.place.description, $0.rule.words) }
            + ownedByGroup.map { ($0.description, "the group's value wins a conflict") }
            + DocumentView.Container.allCases.flatMap { side in
                (keeps[side] ?? []).map { ($0.description, "\(side.rawValue) keeps it") }
            }
    }
}

extension ElementIdentity {
    fileprivate var words: String {
        "elements identified by `\(name(key))`" + (isRenumbered ? ", renumbered" : "")
            + references.map { ", also in `\($0)`" }.joined()
    }
}

extension MergeRule {
    fileprivate var words: String {
        switch self {
        case .newest: "newest"
        case .max: "max"
        case .min: "min"
        case .sum: "sum of both changes"
        case .set: "set"
        case .mine(let isGroup): isGroup ? "group's" : "app's"
        case .derived(let derivation):
            "\(derivation.function.rawValue) of `\(derivation.values)`"
                + (derivation.filter.map { " where \(name($0.json.bytes))" } ?? "")
        }
    }
}
