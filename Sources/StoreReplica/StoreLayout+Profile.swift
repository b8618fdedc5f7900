import DatabaseStore
package import Documents
package import Model
import Stores

extension StoreLayout {
    /// The stores that a profile names for the program of one side on a platform.
    package init(_ profile: Profile?, on side: Side, of platform: StorePlatform) {
        var documents: [RelativePath: StoredDocument] = [:]
        for rule in profile?.documents ?? [] {
            guard let store = rule.stores[platform]?[side == .app ? .app : .group],
                let path = RelativePath(rule.path)
            else { continue }
            documents[path] = StoredDocument(store, of: rule, on: side, platform)
        }
        self.init(documents)
    }
}

extension StoredDocument {
    /// `nil` if the store is a JSON file.
    fileprivate init?(_ store: StoreRule, of rule: DocumentRule, on side: Side, _ platform: StorePlatform) {
        guard let file = RelativePath(store.file) else { return nil }
        switch store.fileKind {
        case .json:
            if store.file == rule.path { return nil }
            self = .keyed(KeyedDocument(whole: file))
        case .database:
            guard var row = DatabaseDocument(store, in: Location(side, file)) else { return nil }
            if platform == .android { row.mostBytes = AndroidWindow.mostBytes }
            self = .row(row)
        case .propertyList: self = .keyed(KeyedDocument(store, of: rule, in: file, .propertyList))
        case .preferences: self = .keyed(KeyedDocument(store, of: rule, in: file, .sharedPreferences))
        case .manifest: self = .keyed(KeyedDocument(store, of: rule, in: file, .asyncStorage))
        }
    }
}

extension DatabaseDocument {
    fileprivate init?(_ store: StoreRule, in file: Location) {
        guard let table = store.table, let key = store.whole?.key else { return nil }
        self.init(
            file,
            table: table.name,
            keyColumn: table.keyColumn,
            valueColumn: table.valueColumn,
            key: key
        )
        if store.format == .tinybase, self == .tinyBase(file).withoutCreation { self = .tinyBase(file) }
    }

    private var withoutCreation: DatabaseDocument {
        var copy = self
        copy.creation = nil
        return copy
    }
}

extension KeyedDocument {
    fileprivate init(whole file: RelativePath) {
        self.init(
            file: file,
            format: .whole,
            keys: [WholeFile.key],
            read: { (file, _) throws(StoreProblem) in
                if case .data(let bytes)? = file[WholeFile.key] { bytes } else { nil }
            },
            changes: { (bytes) throws(StoreProblem) in [ExactText(WholeFile.key): bytes.map { .data($0) }] }
        )
    }

    fileprivate init(_ store: StoreRule, of rule: DocumentRule, in file: RelativePath, _ format: KeyedFormat)
    {
        let mapping = StoreMapping(store, of: rule)
        self.init(
            file: file,
            format: format,
            keys: mapping.keys,
            identity: store.whole == nil ? nil : Array(mapping.spelledKeys.prefix(1)),
            isComposed: store.whole == nil,
            read: { (values, last) throws(StoreProblem) in
                if let manifest = values as? AsyncStorageManifest, let key = manifest.keyElsewhere(of: store)
                {
                    throw store.problem(of: key, in: file)
                }
                do throws(StoreMismatch) {
                    return try mapping.document(
                        from: { values[$0] },
                        at: last.flatMap(rule.number),
                        last: last
                    )
                } catch {
                    throw StoreProblem(file, .value(error))
                }
            },
            changes: { (bytes) throws(StoreProblem) in
                let changes: StoreChanges
                do throws(StoreMismatch) {
                    changes = try mapping.changes(writing: bytes, at: mapping.version(of: bytes))
                } catch {
                    throw StoreProblem(file, .value(error))
                }
                if store.fileKind == .manifest, !store.hasValueFile, let key = changes.keyBeyondManifest {
                    throw StoreProblem(file, .outsideManifest(key: key))
                }
                return changes
            }
        )
        valueFile = store.whole.flatMap { store.valueFile(of: $0.key, beside: file) }
        if store.whole != nil, !store.fields.isEmpty { disagrees = mapping.disagrees }
    }
}

extension StoreMapping {
    /// It says where the fields are; `nil` if there are none.
    fileprivate func version(of bytes: [UInt8]?) -> Int? {
        store.fields.isEmpty ? nil : bytes.flatMap(document.number)
    }

    fileprivate var disagrees: @Sendable (any KeyedFile, [UInt8]) -> Bool {
        { (values, bytes) in hasOtherValues({ values[$0] }, than: bytes) }
    }
}

extension StoreRule {
    /// A value that is one of several could not be replaced together with the others.
    fileprivate var hasValueFile: Bool { fileKind == .manifest && whole != nil && fields.isEmpty }

    fileprivate func valueFile(of key: String, beside manifest: RelativePath) -> RelativePath? {
        hasValueFile ? manifest.sibling(AsyncStorageManifest.fileName(of: key)) : nil
    }

    /// Of a value that is not there with the manifest.
    fileprivate func problem(of key: String, in manifest: RelativePath) -> StoreProblem {
        guard let file = valueFile(of: key, beside: manifest) else {
            return StoreProblem(manifest, .outsideManifest(key: key))
        }
        return StoreProblem(file, .missingValue(key: key))
    }
}

extension AsyncStorageManifest {
    /// The first key of a document that is in a file.
    fileprivate func keyElsewhere(of store: StoreRule) -> String? {
        store.keys.first { self[$0] == Self.elsewhere }
    }
}

extension DocumentRule {
    /// The version of a document; `nil` if it has none or cannot be read.
    fileprivate func number(of bytes: [UInt8]) -> Int? {
        guard let json = try? JSON(parsing: bytes, limits: .unbounded),
            case .known(let version) = version(of: json)
        else { return nil }
        return version
    }
}

extension KeyedFormat {
    static let whole = KeyedFormat(
        isWhole: true,
        parse: { (bytes) throws(StoreFault) in try WholeFile(parsing: bytes, limits: StoreLimits()) },
        empty: { WholeFile() }
    )
    static let propertyList = KeyedFormat(
        parse: { (bytes) throws(StoreFault) in try PropertyList(parsing: bytes, limits: StoreLimits()) },
        empty: { PropertyList() }
    )
    static let sharedPreferences = KeyedFormat(
        hasBackup: true,
        parse: { (bytes) throws(StoreFault) in try SharedPreferences(parsing: bytes, limits: StoreLimits()) },
        empty: { SharedPreferences() }
    )
    static let asyncStorage = KeyedFormat(
        parse: { (bytes) throws(StoreFault) in try AsyncStorageManifest(parsing: bytes, limits: StoreLimits())
        },
        empty: { AsyncStorageManifest() }
    )
}

extension StoreChanges {
    /// The first key whose value is too long for AsyncStorage's manifest.
    fileprivate var keyBeyondManifest: String? {
        for (key, value) in self {
            if case .string(let text)? = value, text.utf16.count > AsyncStorageManifest.mostInline {
                return key.text
            }
        }
        return nil
    }
}
