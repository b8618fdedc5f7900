internal import CLinux
internal import FileSystem
package import Model
package import Replica
package import Stores

extension DatabaseStore {
    /// Reads a document: `.absent` without the row or the database, and without the table of one that did
    /// not exist before, if the bridge can make that table.
    ///
    /// The bytes are those of the text or blob, and the signature is that of the database. It is only
    /// returned if a later change is sure to alter it; else it equals no other one.
    ///
    /// - Parameters:
    ///   - known: The probable content. If the row has it, only the signature is returned.
    ///   - seen: What `signature` returned just before. The files are not looked at again then.
    ///   - mayWait: Reject the content while another program is about to commit a change.
    ///   - isKnown: The document existed before.
    package func read(
        _ document: DatabaseDocument,
        unless known: Digest?,
        seen: Signature? = nil,
        mayWait: Bool,
        isKnown: Bool
    ) throws(DatabaseFault) -> FileReading {
        for _ in 0..<Self.mostAttempts {
            var before = takeLooked(at: document.file, seen)
            if before == nil { before = try state(of: document.file, isKnown: isKnown) }
            guard let before else { return .absent }
            do throws(DatabaseFault) {
                let database = try open(document.file, in: before)
                guard let seen = try look(document, isKnown: isKnown, in: database) else { continue }
                switch try settle(seen, of: document, in: database) {
                case .settled: return seen.reading(unless: known, seen.state.signature)
                case .changed: continue
                case .beingWritten where mayWait: throw .beingWritten
                case .beingWritten, .unknown:
                    return seen.reading(unless: known, seen.state.signature.unsettled)
                }
            } catch .changing {
                forget(document.file)
            } catch .busy where mayWait {
                throw .beingWritten
            }
        }
        throw .changing
    }

    private static var mostAttempts: Int { 4 }

    /// Whether the database has the table of the document, which `read` does not need.
    package func hasTable(of document: DatabaseDocument) throws(DatabaseFault) -> Bool {
        guard let state = try state(of: document.file) else { return false }
        let connection = try open(document.file, in: state).connection
        return try connection.transaction(.deferred) { () throws(DatabaseFault) in
            .rollback(try DatabaseRow(connection: connection, document: document, limit: maxBytes).hasTable())
        }
    }

    /// One state of the row, and of the files at that moment.
    struct RowObservation {
        var cell: Cell?
        var state: DatabaseState
        /// A number that changes with every commit of another program.
        var version: Int64

        func reading(unless known: Digest?, _ signature: Signature) -> FileReading {
            guard let cell else { return .absent }
            let digest = Digest(of: cell.bytes)
            if known == digest { return .same(signature) }
            return .content(FileContent(bytes: cell.bytes, digest: digest, signature: signature))
        }
    }

    /// `nil` if the file was replaced.
    private func look(
        _ document: DatabaseDocument,
        isKnown: Bool,
        in database: OpenDatabase
    ) throws(DatabaseFault) -> RowObservation? {
        let connection = database.connection
        return try connection.transaction(.deferred) { () throws(DatabaseFault) in
            let row = DatabaseRow(connection: connection, document: document, limit: maxBytes)
            let cell = try row.read()
            // Who deletes a document removes its row; without the table it is another database. Where the
            // bridge could not make the table either, the database is of no use to it.
            let needsTable = isKnown || document.creation == nil
            if cell == nil, needsTable, try !row.hasTable() { throw .missingTable(document.table) }
            // Without a log nobody can write to the database during the transaction.
            guard let state = try rememberState(document.file, in: database) else { return .rollback(nil) }
            return .commit(RowObservation(cell: cell, state: state, version: try connection.version()))
        }
    }

    /// The state of the files, within a transaction; `nil` if the database was replaced.
    func rememberState(_ file: Location, in database: OpenDatabase) throws(DatabaseFault) -> DatabaseState? {
        let hasLog = try database.connection.hasLog()
        guard let state = try DatabaseState(of: file, isKnown: true, in: files), database.isOpen(in: state)
        else {
            forget(file)
            return nil
        }
        database.remember(state, hasLog: hasLog)
        return state
    }

    enum Settlement {
        case settled
        /// Something was committed meanwhile.
        case changed
        /// A program is writing to the log.
        case beingWritten
        /// Without the right to write, that cannot be found out.
        case unknown
    }

    /// Whether the signature of this state shows every later change.
    ///
    /// A program writes its change to the log first, and makes it visible in the index, which `stat` does not
    /// show. So the log may already have a change that the transaction did not see. It has none if nobody
    /// is writing, or if the log is unchanged since nobody was.
    func settle(
        _ seen: RowObservation,
        of document: DatabaseDocument,
        in database: OpenDatabase
    ) throws(DatabaseFault) -> Settlement {
        guard database.hasLog, let log = seen.state.writtenLog, log != database.settledLog else {
            return .settled
        }
        let connection = database.connection
        // Then no transaction is immediate.
        if connection.isReadOnly { return .unknown }
        let now: (state: DatabaseState?, version: Int64)
        do throws(DatabaseFault) {
            now = try connection.transaction(.immediate) { () throws(DatabaseFault) in
                .rollback((try rememberState(document.file, in: database), try connection.version()))
            }
        } catch .busy {
            return .beingWritten
        } catch .readOnly {
            return .unknown
        }
        guard now.state?.signature == seen.state.signature, now.version == seen.version else {
            return .changed
        }
        rememberSettled(log, in: database)
        return .settled
    }

    func rememberSettled(_ log: Signature, in database: OpenDatabase) {
        if showsChanges(log) { database.rememberSettled(log) }
    }

    /// Whether a further write to the log is sure to alter its signature.
    private func showsChanges(_ log: Signature) -> Bool {
        let grain = files.timestampGrain.components
        let nanoseconds = grain.seconds * 1_000_000_000 + grain.attoseconds / 1_000_000_000
        return nanoseconds == 0 || max(log.changed, log.modified) < linux_wall_time() - nanoseconds
    }
}

extension Connection {
    /// Changes with every commit of another connection, as the transaction sees it.
    func version() throws(DatabaseFault) -> Int64 { try number("PRAGMA data_version") }
}
