extension Profile {
    /// Reads a profile. `file` is its name, for errors.
    package init(yaml: String, file: String) throws(ProfileError) {
        let root = try YAMLField.root(of: yaml, file: file)
        let fields = try root.fields(["profile", "group", "documents", "speaks"])
        guard let name = fields["profile"] else { throw root.fail("`profile`, its name, is missing") }
        guard let documents = fields["documents"] else { throw root.fail("`documents` is missing") }
        id = try name.text()
        self.documents = []
        for (path, rule) in try documents.members() {
            self.documents.append(try DocumentRule(path: path, rule))
        }
        if let speaks = try fields["speaks"]?.fields(["app", "group"]) {
            appVersion = try speaks["app"]?.count()
            groupVersion = try speaks["group"]?.count()
        }
    }
}

extension DocumentRule {
    init(path: String, _ field: YAMLField) throws(ProfileError) {
        self = .plain(path: path)
        let fields = try field.fields(["version", "versions", "kinds"])
        for (name, version) in try fields["versions"]?.members() ?? [] {
            guard let number = Int(name), number > versions.last?.number ?? 0, String(number) == name else {
                throw version.fail("versions are whole numbers from 1, the oldest first; found `\(name)`")
            }
            versions.append(try VersionRule(number: number, version))
        }
        if let mark = fields["version"] {
            versionMark = try VersionMark(mark)
        } else if !versions.isEmpty {
            throw field.fail("`version`, how it is told, is missing")
        }
        if let kinds = fields["kinds"] {
            self.kinds = []
            for (name, kind) in try kinds.members() {
                self.kinds.append(try WidgetKind(name: name, kind))
            }
        }
    }
}

extension VersionMark {
    init(_ field: YAMLField) throws(ProfileError) {
        let fields = try field.fields(["field", "missing"])
        guard let name = fields["field"] else {
            throw field.fail("`field`, which holds the version, is missing")
        }
        self.field = try name.bytes()
        missing = try fields["missing"]?.count()
    }
}

extension VersionRule {
    init(number: Int, _ field: YAMLField) throws(ProfileError) {
        self.number = number
        lenses = []
        let fields = try field.fields(["lenses"])
        for lens in try fields["lenses"]?.list() ?? [] { lenses.append(try LensReader.lens(lens)) }
    }
}

extension WidgetKind {
    init(name: String, _ field: YAMLField) throws(ProfileError) {
        self.name = name
        shows = []
        for pointer in try field.fields(["shows"])["shows"]?.list() ?? [] {
            shows.append(try pointer.pointer())
        }
    }
}
