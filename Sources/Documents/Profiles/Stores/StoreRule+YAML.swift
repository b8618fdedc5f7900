extension StorePair {
    /// The stores of a document by platform.
    static func all(
        _ field: YAMLField,
        _ document: String,
        _ versions: [Int]
    ) throws(ProfileError) -> [StorePlatform: StorePair] {
        guard DocumentPattern(document) == nil else { throw field.fail(.rule(.store(.ofPattern))) }
        let platforms: [StorePlatform] = [.ios, .android]
        let fields = try field.fields(platforms.map(\.rawValue))
        var stores: [StorePlatform: StorePair] = [:]
        for platform in platforms {
            guard let sides = try fields[platform.rawValue]?.fields(["app", "group"]) else { continue }
            var pair = StorePair()
            if let app = sides["app"] { pair.app = try StoreRule(app, versions) }
            if let group = sides["group"] { pair.group = try StoreRule(group, versions) }
            stores[platform] = pair
        }
        return stores
    }
}

extension StoreRule {
    fileprivate init(_ field: YAMLField, _ versions: [Int]) throws(ProfileError) {
        let names = StoreFormat.allCases.map(\.rawValue)
        guard let word = try field.members().first(where: { $0.name == "format" })?.value else {
            // An unknown key may be the mistyped one.
            _ = try field.fields(Self.allKeys)
            throw field.fail(.missing("format", .storeFormat(names)))
        }
        guard let format = StoreFormat(rawValue: try word.text()) else {
            throw word.fail(.expected(.oneOf(names), .text(try word.text())))
        }
        let fields = try field.fields(format.keys)
        guard let file = fields["file"] else { throw field.fail(.missing("file", .storeFile)) }
        self.init(format: format, file: try Self.path(file))
        guard let kind = format.fileKind(of: self.file) else {
            throw file.fail(.rule(.store(.suffix(format, format.suffixes))))
        }
        whole = try Whole(fields, of: field)
        if kind == .preferences, let data = fields["data"] { throw data.fail(.rule(.store(.noData))) }
        try readKeys(fields, field)
        if let start = fields["at"] {
            guard fields["fields"] != nil else { throw start.fail(.rule(.strayKey("at", of: "fields"))) }
            self.start = try Start(start, versions)
        }
        for (key, value) in try fields["fields"]?.members() ?? [] {
            guard whole?.key != key else { throw value.fail(.rule(.store(.keyTwice(key)))) }
            self.fields.append(try StoreField(key: key, value, try types(of: key, in: kind, value)))
        }
        table = try StoreTable(fields, of: field, format, self.file, kind)
        if format == .tinybase { whole = .text(key: "_") }
        guard format == .json || whole != nil || !self.fields.isEmpty else {
            throw field.fail(.oneOf(["text", "data", "fields"].filter(format.keys.contains), .storeContent))
        }
    }

    private static let allKeys = StoreFormat.allCases.flatMap(\.keys).reduce(into: [String]()) {
        if !$0.contains($1) { $0.append($1) }
    }

    /// A relative path without `.` and `..`.
    private static func path(_ field: YAMLField) throws(ProfileError) -> String {
        let path = try field.text(.containerPath)
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let isPlain = parts.allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8) && !$0.contains(0)
        }
        guard isPlain else { throw field.fail(.expected(.containerPath, .text(path))) }
        return path
    }

    private mutating func readKeys(
        _ fields: [String: YAMLField],
        _ field: YAMLField
    ) throws(ProfileError) {
        if let markers = fields["markers"] { hasMarkers = try markers.flag() }
        if let prefix = fields["prefix"] { pluginPrefix = try prefix.text() }
        guard format == .expoWidgets else { return }
        guard let widget = fields["widget"] else { throw field.fail(.missing("widget", .storeWidget)) }
        self.widget = try widget.text()
    }

    /// The types that a key may have.
    private func types(
        of key: String,
        in kind: StoreFileKind,
        _ field: YAMLField
    ) throws(ProfileError) -> [StoreFieldType] {
        guard format == .expoWidgets else { return format.types(in: kind) }
        guard let known = ExpoWidgetKey(rawValue: key) else {
            throw field.fail(.unknownKey(key, known: ExpoWidgetKey.allCases.map(\.rawValue)))
        }
        return [known.type]
    }
}

extension StoreRule.Whole {
    fileprivate init?(_ fields: [String: YAMLField], of field: YAMLField) throws(ProfileError) {
        switch (fields["text"], fields["data"]) {
        case (nil, nil): return nil
        case (let text?, nil): self = .text(key: try text.text())
        case (nil, let data?): self = .data(key: try data.text())
        default: throw field.fail(.either("text", "data", .storeContent))
        }
    }
}

extension StoreRule.Start {
    /// One pointer for all versions, or a mapping that has each of them.
    fileprivate init(_ field: YAMLField, _ versions: [Int]) throws(ProfileError) {
        guard field.isMapping else {
            others = try field.pointer()
            return
        }
        let fields = try field.fields(versions.map { String($0) })
        for version in versions {
            guard let pointer = fields[String(version)] else {
                throw field.fail(.missing(String(version), .storeStart))
            }
            self.versions[version] = try pointer.pointer()
        }
    }
}

extension StoreField {
    fileprivate init(key: String, _ field: YAMLField, _ types: [StoreFieldType]) throws(ProfileError) {
        let names = types.map(\.rawValue)
        let fields = try field.fields(names + ["from", "to"])
        let given = types.filter { fields[$0.rawValue] != nil }
        guard given.count == 1, let type = given.first, let pointer = fields[type.rawValue] else {
            throw field.fail(.oneOf(names, .storeType))
        }
        self.init(key: key, type: type, pointer: try pointer.pointer())
        times = try StoreTimes(fields, type)
        guard times != nil || type != .date else { throw field.fail(.missing("from", .storeTime)) }
    }
}

extension StoreTimes {
    fileprivate init?(_ fields: [String: YAMLField], _ type: StoreFieldType) throws(ProfileError) {
        guard let from = fields["from"] else {
            if let to = fields["to"] { throw to.fail(.rule(.strayKey("to", of: "from"))) }
            return nil
        }
        document = []
        for form in try from.isList ? from.list() : [from] {
            document.append(try TimeForm(form, among: TimeForm.allCases))
        }
        guard !document.isEmpty else { throw from.fail(.missing("from", .storeTime)) }
        if type == .date {
            if let to = fields["to"] { throw to.fail(.rule(.store(.formOfDate))) }
            store = .seconds2001
            return
        }
        guard let to = fields["to"] else { throw from.fail(.rule(.strayKey("from", of: "to"))) }
        store = try TimeForm(to, among: TimeForm.allCases.filter { $0.isString == (type == .string) })
    }
}

extension StoreTable {
    fileprivate init?(
        _ fields: [String: YAMLField],
        of field: YAMLField,
        _ format: StoreFormat,
        _ file: String,
        _ kind: StoreFileKind
    ) throws(ProfileError) {
        guard kind == .database else { return nil }
        switch format {
        case .tinybase:
            let name = try fields["table"]?.text() ?? "tinybase"
            self.init(name: name, keyColumn: "_id", valueColumn: "store")
        case .asyncStorage:
            // The database of releases before Room.
            let isOld = file.utf8.suffix(9).elementsEqual("RKStorage".utf8)
            let name = isOld ? "catalystLocalStorage" : "Storage"
            self.init(name: name, keyColumn: "key", valueColumn: "value")
        default:
            guard let table = fields["table"], let columns = fields["columns"] else {
                throw field.fail(.needed(["table", "columns"]))
            }
            let names = try columns.fields(["key", "value"])
            guard let key = names["key"], let value = names["value"] else {
                throw columns.fail(.needed(["key", "value"]))
            }
            self.init(name: try table.text(), keyColumn: try key.text(), valueColumn: try value.text())
        }
    }
}

extension TimeForm {
    fileprivate init(_ field: YAMLField, among forms: [TimeForm]) throws(ProfileError) {
        let word = try field.text()
        guard let form = forms.first(where: { $0.rawValue == word }) else {
            throw field.fail(.expected(.oneOf(forms.map(\.rawValue)), .text(word)))
        }
        self = form
    }
}
