extension Profile {
    /// Reads a profile. `file` is its name in errors.
    package init(yaml: String, file: String) throws(ProfileError) {
        let root = try YAMLField.root(of: yaml, file: file)
        try Self.checkFormat(root)
        let fields = try root.fields([
            "format", "profile", "about", "group", "otherGroups", "locale", "timeZone", "documents", "speaks",
            "deepLinks", "strings", "facts", "include", "exclude", "assets",
        ])
        guard let name = fields["profile"] else { throw root.fail(.missing("profile", .name)) }
        guard let documents = fields["documents"] else { throw root.fail(.missing("documents")) }
        id = try name.text()
        self.yaml = yaml
        about = try fields["about"]?.text() ?? ""
        group = try fields["group"]?.text() ?? ""
        otherGroups = try fields["otherGroups"]?.texts() ?? []
        locale = try fields["locale"]?.text()
        (timeZone, followsMachineZone) = try ProfileTimeZone.read(fields["timeZone"])
        deepLinks = try Self.deepLinks(fields["deepLinks"]?.list() ?? [])
        strings = try fields["strings"]?.facts() ?? []
        facts = try fields["facts"]?.facts() ?? []
        filter.include = try fields["include"]?.patterns()
        filter.exclude = try fields["exclude"]?.patterns() ?? []
        self.documents = []
        for (path, field) in try documents.members() {
            var rule = try DocumentRule(path: path, field)
            rule.zone = timeZone?.rules
            guard
                rule.zone != nil || !rule.versions.contains(where: { $0.lenses.contains(where: \.needsZone) })
            else { throw field.fail(.rule(.noTimeZone)) }
            guard rule.zone != nil || !rule.stores.values.contains(where: \.needsZone) else {
                throw field.fail(.rule(.store(.noTimeZone)))
            }
            self.documents.append(rule)
        }
        try checkActivities(try documents.members())
        try readAssets(try fields["assets"]?.members() ?? [], besides: try documents.members())
        if let speaks = try fields["speaks"]?.fields(["app", "group"]) {
            appVersion = try pinned(speaks["app"])
            groupVersion = try pinned(speaks["group"])
        }
    }

    /// The newest format of profiles that this program reads.
    static let newestFormat = 1

    /// It is checked first, because a later format may have keys that are unknown here.
    private static func checkFormat(_ root: YAMLField) throws(ProfileError) {
        guard root.isMapping, let field = try root.members().first(where: { $0.name == "format" })?.value
        else {
            return
        }
        let text = try field.text(.positiveNumber)
        guard text.utf8.allSatisfy(\.isDigit), text.utf8.first != UInt8(ascii: "0") else {
            throw field.fail(.expected(.positiveNumber, .text(text)))
        }
        // A number too large for an Int is newer as well.
        guard Int(text) ?? .max <= newestFormat else {
            throw field.fail(.newerFormat(text, newest: newestFormat))
        }
    }

    private typealias Members = [(name: String, value: YAMLField)]

    private mutating func readAssets(_ assets: Members, besides documents: Members) throws(ProfileError) {
        for (path, field) in assets { self.documents.append(try DocumentRule(asset: path, field)) }
        index = DocumentIndex(self.documents)
        try checkNames(documents, assets)
    }

    private func checkNames(_ documents: Members, _ assets: Members) throws(ProfileError) {
        let members = documents + assets
        for (path, field) in members where document(ofView: path) != nil {
            throw field.fail(.rule(.nameOfView))
        }
        for (path, field) in assets where documents.contains(where: { $0.name == path }) {
            throw field.fail(.rule(.documentAndAsset))
        }
        if let place = index.wrongPattern { throw members[place].value.fail(.rule(.doubleStar)) }
        if let (place, other) = index.tie(in: self.documents) {
            throw members[place].value.fail(.rule(.patternTie(other)))
        }
    }

    /// Reloads are counted by name.
    private func checkActivities(_ fields: Members) throws(ProfileError) {
        let kinds = Set(documents.flatMap { $0.kinds.map(\.name) })
        for (_, document) in fields {
            let activities = try document.members().first { $0.name == "activities" }?.value.members() ?? []
            if let (name, activity) = activities.first(where: { kinds.contains($0.name) }) {
                throw activity.fail(.rule(.nameOfKind(name)))
            }
        }
    }

    /// A version that all documents with versions have.
    private func pinned(_ field: YAMLField?) throws(ProfileError) -> Int? {
        guard let field else { return nil }
        let version = try field.version()
        for rule in documents where rule.newest != nil && !rule.versionNumbers.contains(version) {
            throw field.fail(.versions(.unknown(version, of: rule.path)))
        }
        return version
    }
}

extension ProfileTimeZone {
    fileprivate static func read(
        _ field: YAMLField?
    ) throws(ProfileError) -> (zone: ProfileTimeZone?, isOfMachine: Bool) {
        guard let field else { return (nil, false) }
        if !field.isMapping, try field.text() == "machine" { return (nil, true) }
        return (try ProfileTimeZone(field), false)
    }

    init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["name", "rule"])
        guard let name = fields["name"], let rule = fields["rule"] else {
            throw field.fail(.noTimeZoneRule)
        }
        guard let rules = TimeZoneRules(posix: try rule.text()) else {
            throw rule.fail(.expected(.timeZoneRule, .text(try rule.text())))
        }
        self.name = try name.text()
        guard TimeZoneNames.all.contains(self.name) else { throw name.fail(.noTimeZone(self.name)) }
        self.rules = rules
    }
}

extension YAMLField {
    /// The list of patterns of `include` or `exclude`.
    package func patterns() throws(ProfileError) -> [String] {
        var patterns: [String] = []
        for element in try list() {
            let text = try element.text()
            guard DocumentFilter.isPattern(text) else {
                throw element.fail(.expected(.documentPattern, .text(text)))
            }
            patterns.append(text)
        }
        return patterns
    }

    func texts() throws(ProfileError) -> [String] {
        var texts: [String] = []
        for element in try list() { texts.append(try element.text()) }
        return texts
    }

    func facts() throws(ProfileError) -> [ProfileFact] {
        var facts: [ProfileFact] = []
        for (name, value) in try members() {
            facts.append(ProfileFact(name: name, text: try value.text()))
        }
        return facts
    }

    package func pointers() throws(ProfileError) -> [JSONPointer] {
        var pointers: [JSONPointer] = []
        for element in try list() { pointers.append(try element.pointer()) }
        return pointers
    }

    /// A schema, whose errors have their position in the YAML.
    func schema() throws(ProfileError) -> Schema {
        let text = try json()
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: text)
        } catch {
            throw fail(.json(error))
        }
        do throws(SchemaError) {
            return try Schema(json)
        } catch {
            throw fail(at: JSONPointer(error.pointer) ?? .root, .schema(error.reason))
        }
    }
}
