extension DocumentRule {
    init(path: String, _ field: YAMLField) throws(ProfileError) {
        self = .plain(path: path)
        let keys = [
            "version", "versions", "values", "kinds", "onInvalid", "direction", "views", "stale", "states",
            "errors", "activities", "stores",
        ]
        let fields = try field.fields(keys + MergeRules.keys)
        try readVersions(fields, field)
        states.values =
            try fields["values"].map { field throws(ProfileError) in try NamedExpression.all(field) } ?? []
        if let kinds = fields["kinds"] {
            self.kinds = []
            for (name, kind) in try kinds.members() {
                self.kinds.append(try WidgetKind(name: name, kind, with: states.values))
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
        if let views = fields["views"] { self.views = try DocumentView.all(views, path, versionNumbers) }
        if let stale = fields["stale"] { staleness = try Staleness(stale) }
        try readErrors(try fields["errors"]?.members() ?? [])
        if let states = fields["states"] {
            if fields["errors"] != nil { throw states.fail(.rule(.statesAndErrors)) }
            self.states.rules = try StateRule.all(states, self.states.values)
        }
        for (name, activity) in try fields["activities"]?.members() ?? [] {
            activities.append(try LiveActivityRule(name: name, activity))
        }
        mergeRules = try MergeRules(fields)
        if let field = fields["stores"] { stores = try StorePair.all(field, path, versionNumbers) }
        try ProfileCheck(rule: self, fields: fields).run()
    }

    /// The first one that a document fits is shown, so that no later one may be for the same documents.
    private mutating func readErrors(_ states: [(name: String, value: YAMLField)]) throws(ProfileError) {
        var earlier: [[UInt8]: String] = [:]
        var general: String?
        for (name, state) in states {
            self.states.rules.append(try StateRule(error: name, state))
            guard let when = try state.fields(["text", "when"])["when"] else { continue }
            let schema = try when.schema()
            let text = canonicalBytes(of: schema.json)
            if let other = general ?? earlier[text] { throw when.fail(.rule(.hidden(by: other))) }
            earlier[text] = name
            if schema.acceptsAll { general = name }
        }
    }

    private mutating func readVersions(
        _ fields: [String: YAMLField],
        _ field: YAMLField
    ) throws(ProfileError) {
        for (name, version) in try fields["versions"]?.members() ?? [] {
            guard let number = VersionRule.number(name), number > versions.last?.number ?? .min else {
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
        let missing = try fields["missing"]?.version()
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
    /// - Parameter values: those of the document.
    init(name: String, _ field: YAMLField, with values: [NamedExpression] = []) throws(ProfileError) {
        let fields = try field.fields(Self.keys)
        // As an event may have it.
        guard (1...200).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw field.fail(.expected(.name, .text(name))) }
        self.init(name: name, shows: try fields["shows"]?.pointers() ?? [])
        content = try ComputedContent(fields, with: values)
        for key in ["shows", "ignore"] where !content.isEmpty {
            if let stray = fields[key] { throw stray.fail(.rule(.computedAndPointed(key))) }
        }
        ignores = try fields["ignore"]?.pointers() ?? []
        budget = try fields["budget"]?.budget()
        coalesce = try fields["coalesce"]?.milliseconds()
        retry = try fields["retry"]?.retry()
        families = try fields["families"]?.families() ?? []
        refresh = try fields["refresh"].map { field throws(ProfileError) in try RefreshRule(field) }
        if showsNothing { throw (fields["ignore"] ?? field).fail(.rule(.showsNothing)) }
    }

    static let keys =
        ComputedContent.keys + ["shows", "ignore", "families", "refresh", "budget", "coalesce", "retry"]
}

extension YAMLField {
    fileprivate func families() throws(ProfileError) -> [WidgetFamily] {
        var families: [WidgetFamily] = []
        let members =
            isMapping
            ? try members()
            : try list().map { field throws(ProfileError) in
                (name: try field.text(), value: field)
            }
        for (name, field) in members {
            if name.isEmpty { throw field.fail(.expected(.name, .text(name))) }
            guard !families.contains(where: { $0.name == name }) else {
                throw field.fail(.rule(.repeated(name)))
            }
            families.append(WidgetFamily(name: name, most: isMapping ? try field.elementCount() : nil))
        }
        if families.isEmpty { throw fail(.rule(.noFamily)) }
        return families
    }

    /// How many elements a widget shows; `nil`: all.
    private func elementCount() throws(ProfileError) -> Int? {
        if try text() == "all" { return nil }
        let count = try count()
        if count == 0 { throw fail(.expected(.positiveNumber, .text("0"))) }
        return count
    }

    fileprivate func retry() throws(ProfileError) -> RetryRule {
        let fields = try fields(["times", "after"])
        let times = try fields["times"]?.count() ?? 3
        guard (1...100).contains(times) else {
            throw (fields["times"] ?? self).fail(.expected(.count(1...100), .text("\(times)")))
        }
        let after = try fields["after"]?.milliseconds() ?? 5000
        if after == 0, let field = fields["after"] {
            throw field.fail(.expected(.numberOfUnits(1...3_600_000), .text(try field.text())))
        }
        return RetryRule(times: times, after: after)
    }
}

extension Staleness {
    init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "after", "missing"])
        guard let after = fields["after"] else { throw field.fail(.missing("after", .age)) }
        self.field = try fields["field"]?.pointer()
        self.after = try after.seconds()
        if let missing = fields["missing"], fields["field"] == nil {
            throw missing.fail(.rule(.strayKey("missing", of: "field")))
        }
        switch try fields["missing"]?.text() ?? "stale" {
        case "stale": missingIsStale = true
        case "fresh": missingIsStale = false
        default: throw (fields["missing"] ?? field).fail(.expected(.either("stale", "fresh")))
        }
    }
}

extension YAMLField {
    /// A time in minutes, such as `30 min`, `24 h` or `7 d`.
    func minutes(least: Int = 1) throws(ProfileError) -> Int {
        try minutes(of: text()[...], least: least)
    }

    /// That of a part of its text.
    func minutes(of part: Substring, least: Int = 1) throws(ProfileError) -> Int {
        try time(part, ["min": 1, "h": 60, "d": 1440], least: least, .minutes)
    }

    /// A time in seconds, such as `30 s` or `24 h`.
    fileprivate func seconds() throws(ProfileError) -> Int {
        try time(text()[...], ["s": 1, "min": 60, "h": 3600, "d": 86_400], least: 1, .seconds)
    }

    private func time(
        _ text: Substring,
        _ units: [String: Int],
        least: Int,
        _ expected: ProfileError.Expected
    ) throws(ProfileError) -> Int {
        let parts = text.split(separator: " ")
        guard parts.count == 2, let unit = units[String(parts[1])],
            parts[0].utf8.allSatisfy(\.isDigit)
        else { throw fail(.expected(expected, .text(String(text)))) }
        // A number that is too large for an Int is out of the range as well.
        guard let count = Int(parts[0]), (least...Self.mostUnits).contains(count) else {
            throw fail(.expected(.numberOfUnits(least...Self.mostUnits), .text(String(text))))
        }
        return count * unit
    }

    private static let mostUnits = 999_999
}

extension YAMLField {
    fileprivate func budget() throws(ProfileError) -> ReloadBudget {
        let text = try text(.reloadBudget)
        guard let budget = ReloadBudget(text) else { throw fail(.expected(.reloadBudget, .text(text))) }
        return budget
    }

    /// A time of at most an hour, such as `250 ms` or `5 s`.
    fileprivate func milliseconds() throws(ProfileError) -> Int64 {
        let text = try text(.milliseconds)
        let parts = text.split(separator: " ")
        let units: [Substring: Int64] = ["ms": 1, "s": 1000, "min": 60_000, "h": 3_600_000]
        guard parts.count == 2, let count = Int64(parts[0]), (0...3_600_000).contains(count),
            let unit = units[parts[1]], count * unit <= 3_600_000
        else { throw fail(.expected(.milliseconds, .text(text))) }
        return count * unit
    }

    /// One time such as `08:00`, or a list of them, in seconds since midnight.
}

extension DocumentDirection {
    init(_ field: YAMLField) throws(ProfileError) {
        let text = try field.text()
        guard let direction = Self(rawValue: text) else {
            throw field.fail(.expected(.oneOf(Self.allCases.map(\.rawValue)), .text(text)))
        }
        self = direction
    }
}
