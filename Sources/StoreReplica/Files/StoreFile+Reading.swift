import Documents
import FileSystem
import Model
import Stores

/// The content of a file with keys.
struct StoreFileContent {
    var kind: StoreFileKind
    /// `nil` if the file is to be created.
    var bytes: [UInt8]?
    var keyed: any KeyedFile
    var isBackup = false
    /// How a plugin writes keys and values.
    var encoding: KeyEncoding

    init(
        _ bytes: [UInt8]?,
        _ kind: StoreFileKind,
        as format: StoreFormat?,
        prefix: String
    ) throws(StoreFault) {
        (self.bytes, self.kind) = (bytes, kind)
        let parser = KeyedFormat(kind)
        let file = try bytes.map { (bytes) throws(StoreFault) in try parser.parse(bytes) } ?? parser.empty()
        keyed = file
        encoding =
            switch format {
            case .flutter: .flutter(prefix: prefix)
            case .homeWidget: .homeWidget(markers: Self.hasMarkers(file))
            default: .plain
            }
    }

    /// Whether version 0.7 of `home_widget` or a later one writes the file. A new file is one.
    private static func hasMarkers(_ file: any KeyedFile) -> Bool {
        let keys = file.keys
        let encoding = KeyEncoding.homeWidget(markers: true)
        return keys.isEmpty || keys.contains { encoding.field(ofKey: $0, in: .sharedPreferences) == nil }
    }

    var fileFormat: FileFormat {
        switch kind {
        case .preferences: .sharedPreferences
        case .manifest: .asyncStorage
        case .propertyList, .json, .database: (keyed as? PropertyList)?.format ?? .binaryPropertyList
        }
    }

    /// The keys as they are named: a plugin adds a prefix, and keys of its own.
    var names: [String] { keyed.keys.compactMap { encoding.field(ofKey: $0, in: fileFormat) } }

    func has(_ name: String) -> Bool {
        guard let key = encoding.keys(of: name, in: fileFormat).first else { return false }
        // Strings that look the same are different keys.
        return keyed.keys.contains { $0.utf8.elementsEqual(key.utf8) }
    }

    /// What the file itself has under a key.
    func decoded(_ name: String) throws(StoreFault) -> StoreValue? {
        try encoding.decoded(name, in: fileFormat) { keyed[$0] }
    }

    /// As the file has it, where it is not encoded as the plugin encodes values.
    func raw(_ name: String) -> StoreValue? {
        if valueFile(of: name) != nil { return nil }
        return encoding.keys(of: name, in: fileFormat).first.flatMap { keyed[$0] }
    }

    /// The file beside a manifest that has the value of a key.
    func valueFile(of name: String) -> String? {
        guard case .file(let file) = (keyed as? AsyncStorageManifest)?.location(of: name) else { return nil }
        return file
    }
}

extension KeyedFormat {
    init(_ kind: StoreFileKind) {
        self =
            switch kind {
            case .preferences: .sharedPreferences
            case .manifest: .asyncStorage
            case .propertyList, .database: .propertyList
            case .json: .whole
            }
    }
}

extension StoreFile {
    private static let maxBytes = StoreLimits().maxBytes
    /// So often in a row neither the file nor its backup is found.
    private static let surelyMissing = 3

    /// `nil` if it is a database.
    ///
    /// - Parameter isCreated: A file that does not exist is empty.
    func content(isCreated: Bool = false) throws(StoreFileFault) -> StoreFileContent? {
        var misses = 0
        for round in 0... {
            if round >= StoreReplica.mostRacers, !patience.waits() { break }
            let before = try? files.status(of: place)
            if let backup = try backup() { return backup }
            let found = try bytes(of: place)
            if try backup() != nil { continue }
            // A save that began and ended meanwhile may have been read half.
            if mayHaveBackup(found), (try? files.status(of: place)) != before { continue }
            guard let found else {
                // Each time may have been in the middle of another save.
                misses += 1
                if misses < Self.surelyMissing { continue }
                guard isCreated else { throw .file(.missing(place)) }
                return try parsed(nil, try kindOfNewFile())
            }
            let kind = try kind(of: found)
            return kind == .database ? nil : try parsed(found, kind)
        }
        throw .hasBackup
    }

    func parsed(_ bytes: [UInt8]?, _ kind: StoreFileKind) throws(StoreFileFault) -> StoreFileContent {
        do throws(StoreFault) {
            return try StoreFileContent(bytes, kind, as: format, prefix: prefix)
        } catch {
            throw .content(error)
        }
    }

    /// `nil` if there is no such file. Nothing else in this process has a database open, so that closing it
    /// drops no locks.
    func bytes(of place: Location) throws(StoreFileFault) -> [UInt8]? {
        do throws(FileError) {
            let start = try files.contents(of: place, limit: 16)
            if StoreFileKind(detecting: start) == .database { return start }
            return try files.contents(of: place, limit: Self.maxBytes + 1)
        } catch .missing {
            return nil
        } catch {
            throw .file(error)
        }
    }

    /// The content of Android's backup of the file, which counts while it exists. A file of that name beside
    /// another file means nothing.
    private func backup() throws(StoreFileFault) -> StoreFileContent? {
        guard mayHaveBackup(nil), let path = place.path.sibling(place.path.name + StoreLayout.backup) else {
            return nil
        }
        let found: [UInt8]?
        do throws(StoreFileFault) { found = try bytes(of: Location(place.root, path)) } catch {
            if case .file(.notRegular) = error { return nil }
            throw error
        }
        guard let found, StoreFileKind(detecting: found) == .preferences else { return nil }
        var content = try parsed(found, .preferences)
        content.isBackup = true
        return content
    }

    /// Whether a program may write it as Android writes preferences.
    private func mayHaveBackup(_ bytes: [UInt8]?) -> Bool {
        switch format {
        case nil, .sharedPreferences, .flutter, .homeWidget: break
        default: return false
        }
        switch bytes.flatMap(StoreFileKind.init(detecting:)) {
        case .database, .propertyList: return false
        default: return true
        }
    }

    private func kind(of bytes: [UInt8]) throws(StoreFileFault) -> StoreFileKind {
        let found = StoreFileKind(detecting: bytes)
        switch (format, found) {
        case (nil, let kind?): return kind
        case (nil, nil): throw .unknownFormat
        case (.plist, _): return .propertyList
        case (.sharedPreferences, _): return .preferences
        case (.flutter, .propertyList), (.homeWidget, .propertyList): return .propertyList
        case (.flutter, .preferences), (.homeWidget, .preferences): return .preferences
        case (.asyncStorage, _): return found == .database ? .database : .manifest
        case (.tinybase, _), (.sqlite, _): return .database
        case (let format?, _): throw .otherFormat(format)
        }
    }

    private func kindOfNewFile() throws(StoreFileFault) -> StoreFileKind {
        switch format {
        case .plist: return .propertyList
        case .sharedPreferences: return .preferences
        case .flutter, .homeWidget:
            guard let kind = format?.fileKind(of: place.path.name) else { throw .file(.missing(place)) }
            return kind
        case nil: throw .noFormat
        default: throw .file(.missing(place))
        }
    }

    // MARK: Values

    /// `nil` if the key has none.
    func value(of name: String, in content: StoreFileContent) throws(StoreFileFault) -> StoreValue? {
        guard let file = content.valueFile(of: name) else {
            do throws(StoreFault) { return try content.decoded(name) } catch { throw .content(error) }
        }
        let place = try sibling(file)
        guard let bytes = try bytes(of: place) else {
            throw .valueFile(key: name, name: file, .missing(place))
        }
        do throws(StoreFault) {
            return try AsyncStorageManifest.value(ofFile: bytes, key: name)
        } catch {
            throw .content(error)
        }
    }

    func shown(_ name: String, in content: StoreFileContent) -> StoreEntry.Content {
        if let value = (try? value(of: name, in: content)) ?? content.raw(name) { return .value(value) }
        return content.valueFile(of: name).map { .missingFile($0) } ?? .null
    }

    func sibling(_ name: String) throws(StoreFileFault) -> Location {
        guard let path = place.path.sibling(name) else { throw .file(.unsupported(.create, place)) }
        return Location(place.root, path)
    }
}
