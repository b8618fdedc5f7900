import DatabaseStore
package import Documents
package import FileSystem
package import Model
package import Stores

/// A store that a person names: read and changed without a bridge, as by any other program.
package struct StoreFile {
    let files: any FileSystem
    let place: Location
    /// The path of the directory that `files` has open as the root, for SQLite.
    private let container: String
    /// `nil`: what the file's bytes say.
    let format: StoreFormat?
    /// What the keys of `flutter` begin with.
    let prefix: String
    /// `nil`: a table that an app's library keeps.
    private let table: StoreTable?
    let patience: Patience

    /// What is waited for are other programs: a lock, or a file that is open for writing.
    package struct Patience {
        /// The limit, in milliseconds.
        var milliseconds: Int
        /// Waits a moment; false once the limit is reached.
        var waits: () -> Bool

        package init(milliseconds: Int, waits: @escaping () -> Bool) {
            (self.milliseconds, self.waits) = (milliseconds, waits)
        }
    }

    package init(
        _ place: Location,
        in files: any FileSystem,
        at container: String,
        as format: StoreFormat?,
        prefix: String = StoreFormat.flutterPrefix,
        table: StoreTable?,
        patience: Patience
    ) {
        (self.files, self.place, self.container) = (files, place, container)
        (self.format, self.prefix, self.table, self.patience) = (format, prefix, table, patience)
    }

    /// All that a store has.
    package struct Listing: Sendable, Hashable {
        package var format: Format
        /// A program is writing the file, or was ended while it did; the values are those of its backup.
        package var isBackup = false
        package var entries: [StoreEntry]

        package enum Format: Sendable, Hashable {
            case file(FileFormat)
            case table(String)
        }
    }

    package func list() throws(StoreFileFault) -> Listing {
        guard let content = try content() else {
            return try inDatabase { (table) throws(DatabaseFault) in
                let entries = try table.rows().map { StoreEntry($0.key, .init($0.value)) }
                return Listing(format: .table(table.name), entries: entries)
            }
        }
        return Listing(
            format: .file(content.fileFormat),
            isBackup: content.isBackup,
            entries: content.names.map { StoreEntry($0, shown($0, in: content)) }
        )
    }

    package func value(of key: String) throws(StoreFileFault) -> StoreValue {
        guard let content = try content() else {
            let cell = try inDatabase { (table) throws(DatabaseFault) in try table.cell(of: key) }
            guard let cell else { throw .noKey(key) }
            guard let value = StoreEntry.Content(cell).known else { throw .null(key: key) }
            return value
        }
        guard content.has(key) else { throw .noKey(key) }
        guard let value = try value(of: key, in: content) else { throw .null(key: key) }
        return value
    }

    /// Returns the new value.
    package func put(_ put: StorePut) throws(StoreFileFault) -> StoreValue {
        // Two runs of this program would each take the other's transient content for a save.
        let new = try DirectoryLock.hold(container, waits: patience.waits) { () throws(StoreFileFault) in
            removeLeftovers()
            guard let content = try content(isCreated: true) else { return try putInDatabase(put) }
            return try self.put(put, in: content.isBackup ? try reread(place, content) : content)
        }
        guard let new else { throw .racing }
        return new
    }

    // MARK: Databases

    private func inDatabase<Value>(
        changes: Bool = false,
        _ body: (DatabaseTable) throws(DatabaseFault) -> Value
    ) throws(StoreFileFault) -> Value {
        while true {
            do throws(DatabaseFault) {
                let table = try DatabaseTable(
                    place,
                    in: files,
                    at: container,
                    among: tables,
                    patience: patience.milliseconds,
                    onlyLooks: !changes
                )
                defer { if changes { table.close() } }
                return try body(table)
            } catch {
                // SQLite waits for the lock of a database that is changed.
                guard error == .busy, !changes, patience.waits() else { throw .database(error) }
            }
        }
    }

    /// The first that exists is meant.
    private var tables: [DatabaseDocument] {
        if let table {
            let (key, value) = (table.keyColumn, table.valueColumn)
            return [
                DatabaseDocument(place, table: table.name, keyColumn: key, valueColumn: value, key: "")
            ]
        }
        let asyncStorage = [
            DatabaseDocument.asyncStorage(place, key: ""), .oldAsyncStorage(place, key: ""),
        ]
        switch format {
        case .asyncStorage: return asyncStorage
        case .tinybase: return [.tinyBase(place)]
        default: return [.tinyBase(place)] + asyncStorage
        }
    }

    private func putInDatabase(_ put: StorePut) throws(StoreFileFault) -> StoreValue {
        var outcome = Result<StoreValue, StoreFileFault>.failure(.racing)
        try inDatabase(changes: true) { (table) throws(DatabaseFault) in
            try table.replace(put.key) { (old) in
                do throws(StoreFileFault) {
                    let value = try put.value(over: old.flatMap { StoreEntry.Content($0).known })
                    guard let cell = DatabaseCell(value) else {
                        throw .notInDatabases(value.type, key: put.key)
                    }
                    outcome = .success(value)
                    return cell
                } catch {
                    outcome = .failure(error)
                    return nil
                }
            }
        }
        return try outcome.get()
    }
}

extension StoreEntry.Content {
    fileprivate init(_ cell: DatabaseCell) {
        self =
            switch cell {
            case .null: .null
            case .integer(let number): .value(.integer(number))
            case .real(let number): .value(.real(number))
            case .text(let text): .value(.string(text))
            case .blob(let bytes): .value(.data(bytes))
            }
    }

    fileprivate var known: StoreValue? { if case .value(let value) = self { value } else { nil } }
}

extension DatabaseCell {
    /// `nil` for a type that SQLite does not have.
    fileprivate init?(_ value: StoreValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .data(let bytes): self = .blob(bytes)
        default: return nil
        }
    }
}
