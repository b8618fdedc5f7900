extension DocumentRule {
    init(path: String, _ field: YAMLField) throws(ProfileError) {
        self = .plain(path: path)
        let fields = try field.fields(
            ["version", "versions", "kinds", "onInvalid", "direction", "views", "stale", "errors"]
                + MergeRules.keys
        )
        try readVersions(fields, field)
        if let kinds = fields["kinds"] {
            self.kinds = []
            for (name, kind) in try kinds.members() {
                self.kinds.append(try WidgetKind(name: name, kind))
            }
        }
        if let choice = fields["onInvalid"] {
            switch try choice.text() {
            case "hold": passesInvalid = false
            case "pass": passesInvalid = true
            default: throw choice.fail(.expected(.either("hold", "pass")))
            }
        }
        if let field = fields["direction"] { direction = try DocumentDirection(field) }
        if let views = fields["views"] { try readViews(views) }
        if let stale = fields["stale"] { staleness = try Staleness(stale) }
        for (name, state) in try fields["errors"]?.members() ?? [] {
            errors.append(try ErrorState(name: name, state))
        }
        mergeRules = try MergeRules(fields)
        try ProfileCheck(rule: self, fields: fields).run()
    }

    private mutating func readVersions(
        _ fields: [String: YAMLField],
        _ field: YAMLField
    ) throws(ProfileError) {
        for (name, version) in try fields["versions"]?.members() ?? [] {
            guard let number = Int(name), number > versions.last?.number ?? 0, String(number) == name else {
                throw version.fail(.versions(.unordered(name)))
            }
            versions.append(try VersionRule(number: number, version))
        }
        guard !versions.isEmpty else {
            if let mark = fields["version"] { throw mark.fail(.versions(.none)) }
            return
        }
        guard let mark = fields["version"] else {
            throw field.fail(.missing("version", .versionMark))
        }
        versionMark = try VersionMark(mark, versionNumbers)
    }
}

extension VersionMark {
    init(_ field: YAMLField, _ numbers: [Int]) throws(ProfileError) {
        if !field.isMapping {
            guard try field.text() == "shapes" else {
                throw field.fail(.expected(.versionMark))
            }
            self = .shapes
            return
        }
        let fields = try field.fields(["field", "missing"])
        guard let name = fields["field"] else {
            throw field.fail(.missing("field", .versionField))
        }
        let missing = try fields["missing"]?.count()
        if let missing, !numbers.contains(missing) {
            throw (fields["missing"] ?? field).fail(.versions(.unknown(missing)))
        }
        self = .field(try name.bytes(), missing: missing)
    }
}

extension VersionRule {
    init(number: Int, _ field: YAMLField) throws(ProfileError) {
        self.number = number
        let fields = try field.fields(["schema", "when", "lenses"])
        schema = try fields["schema"]?.schema()
        shape = try fields["when"]?.schema()
        for lens in try fields["lenses"]?.list() ?? [] {
            lenses.append(try LensReader.lens(lens))
            lensTexts.append(Documents.name(try lens.json()))
        }
    }
}

extension WidgetKind {
    init(name: String, _ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["shows", "families", "refresh"])
        self.init(name: name, shows: try fields["shows"]?.pointers() ?? [])
        if let families = fields["families"], families.isMapping {
            for (name, most) in try families.members() {
                let text = try most.text()
                self.families.append(WidgetFamily(name: name, most: text == "all" ? nil : try most.count()))
            }
        } else {
            self.families = try fields["families"]?.texts().map { WidgetFamily(name: $0, most: nil) } ?? []
        }
        if let refresh = try fields["refresh"]?.fields(["every", "least", "most"]) {
            self.refresh = RefreshRule(
                every: try refresh["every"]?.minutes() ?? 0,
                least: try refresh["least"]?.minutes(),
                most: try refresh["most"]?.minutes()
            )
        }
    }
}

extension Staleness {
    init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "after", "missing"])
        guard let after = fields["after"] else { throw field.fail(.missing("after", .age)) }
        self.field = try fields["field"]?.pointer()
        self.after = try after.minutes() * 60
        switch try fields["missing"]?.text() ?? "stale" {
        case "stale": missingIsStale = true
        case "fresh": missingIsStale = false
        default: throw (fields["missing"] ?? field).fail(.expected(.either("stale", "fresh")))
        }
    }
}

extension ErrorState {
    init(name: String, _ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["text", "when"])
        self.name = name
        text = try fields["text"]?.text() ?? ""
        schema = try fields["when"]?.schema()
    }
}

extension YAMLField {
    /// A time in minutes, such as `30 min`, `24 h` or `7 d`.
    func minutes() throws(ProfileError) -> Int {
        let text = try text()
        let parts = text.split(separator: " ")
        let units = ["min": 1, "h": 60, "d": 1440]
        guard parts.count == 2, let count = Int(parts[0]), count > 0, count < 1_000_000,
            let unit = units[String(parts[1])]
        else { throw fail(.expected(.minutes, .text(text))) }
        return count * unit
    }
}

extension DocumentRule {
    /// `views: [1]`, for readers in the group container, or `views: {app: [1], group: [2]}`.
    fileprivate mutating func readViews(_ field: YAMLField) throws(ProfileError) {
        guard field.isMapping else { return try readViews(field, in: .group) }
        let names = DocumentView.Container.allCases
        let fields = try field.fields(names.map(\.rawValue))
        for container in names {
            if let list = fields[container.rawValue] { try readViews(list, in: container) }
        }
    }

    private mutating func readViews(
        _ list: YAMLField,
        in container: DocumentView.Container
    ) throws(ProfileError) {
        for field in try list.list() {
            let number = try field.count()
            guard versionNumbers.contains(number) else { throw field.fail(.versions(.unknown(number))) }
            let view = DocumentView(of: path, number, in: container)
            guard !views.contains(view) else { throw field.fail(.versions(.repeated(number))) }
            views.append(view)
        }
    }
}

extension DocumentDirection {
    fileprivate init(_ field: YAMLField) throws(ProfileError) {
        let text = try field.text()
        guard let direction = Self(rawValue: text) else {
            throw field.fail(.expected(.oneOf(Self.allCases.map(\.rawValue)), .text(text)))
        }
        self = direction
    }
}
