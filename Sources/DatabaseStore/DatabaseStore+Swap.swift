internal import FileSystem
package import Model
package import Stores

extension DatabaseStore {
    package enum Outcome: Sendable, Hashable {
        /// The row was not as expected; nothing was changed.
        case raced
        /// It has the new content. `signature`: of the database with this content; `nil` if another program
        /// has changed the database since, or may be about to.
        case swapped(signature: Signature?)
    }

    /// Replaces a document in one transaction.
    ///
    /// After an error nothing was changed either. `.busy` means that another program has locked the database;
    /// the call is made again later.
    ///
    /// - Parameters:
    ///   - bytes: The new content; `nil` deletes the row. A replaced value keeps its type, and a new one is
    ///     text.
    ///   - expected: The content to replace; `nil` if the row must be absent. Then its table, and the
    ///     database, are created if necessary and if the document says how.
    ///   - model: The file whose rights a new database takes over.
    ///   - keep: Stores the replaced bytes. It is called before the transaction ends, which may still fail.
    package func swap(
        _ document: DatabaseDocument,
        to bytes: [UInt8]?,
        over expected: Digest?,
        like model: Location? = nil,
        keep: ([UInt8]) throws(FileError) -> Void
    ) throws(DatabaseFault) -> Outcome {
        if let fault = excess(of: bytes ?? [], in: document) { throw fault }
        var state = try state(of: document.file)
        if state == nil {
            guard expected == nil else { return .raced }
            guard bytes != nil else { return .swapped(signature: nil) }
            try createDatabase(of: document, like: model)
            state = try self.state(of: document.file)
        }
        guard let state else { return .raced }
        if let fault = refusal(of: document, to: bytes, in: state) { throw fault }
        do throws(DatabaseFault) {
            let database = try open(document.file, in: state)
            return try swap(document, to: bytes, over: expected, in: database, keep: keep)
        } catch .changing {
            forget(document.file)
            return .raced
        } catch {
            if error.isRefusal { refusals[document.file] = (Refusal(document, bytes, state), error) }
            throw error
        }
    }

    private func excess(of bytes: [UInt8], in document: DatabaseDocument) -> DatabaseFault? {
        let limit = min(maxBytes, document.mostBytes ?? .max)
        return bytes.count > limit ? .tooLarge(bytes: Int64(bytes.count), limit: limit) : nil
    }

    /// Why the database would not store this content: it is too large, was refused already, or is missing.
    package func refusal(of document: DatabaseDocument, to bytes: [UInt8]) -> DatabaseFault? {
        if let fault = excess(of: bytes, in: document) { return fault }
        if document.creation != nil, refusals[document.file] == nil { return nil }
        let found: DatabaseState?
        do throws(DatabaseFault) { found = try state(of: document.file) } catch { return nil }
        guard let state = found else {
            return document.creation == nil ? .file(.missing(document.file)) : nil
        }
        return refusal(of: document, to: bytes, in: state)
    }

    private func refusal(of document: DatabaseDocument, to bytes: [UInt8]?, in state: DatabaseState)
        -> DatabaseFault?
    {
        guard let known = refusals[document.file] else { return nil }
        return known.refusal == Refusal(document, bytes, state) ? known.fault : nil
    }

    /// What a database refused to store, and its state then.
    ///
    /// Trying is an event of the database's files, which would cause the next attempt at once.
    struct Refusal: Equatable {
        var document: DatabaseDocument
        var bytes: Digest?
        var state: Signature

        init(_ document: DatabaseDocument, _ bytes: [UInt8]?, _ state: DatabaseState) {
            self.document = document
            self.bytes = bytes.map { Digest(of: $0) }
            self.state = state.signature
        }
    }

    private func swap(
        _ document: DatabaseDocument,
        to bytes: [UInt8]?,
        over expected: Digest?,
        in database: OpenDatabase,
        keep: ([UInt8]) throws(FileError) -> Void
    ) throws(DatabaseFault) -> Outcome {
        let connection = database.connection
        // It was when it was opened. That it stays open then avoids events of the file.
        if connection.isReadOnly { throw database.mayBeWritten ? .changing : .readOnly(needsRecovery: false) }
        let row = DatabaseRow(connection: connection, document: document, limit: maxBytes)
        try connection.setFullSync(syncs || !database.hasLog)
        let version: Int64? = try database.commit { () throws(DatabaseFault) in
            let old = try row.read()
            guard try rememberState(document.file, in: database) != nil,
                old.map({ Digest(of: $0.bytes) }) == expected
            else { return .rollback(nil) }
            if let old {
                do throws(FileError) { try keep(old.bytes) } catch { throw .file(error) }
            } else if bytes == nil {
                return .rollback(try connection.version())
            } else {
                try row.create()
            }
            try row.write(bytes, over: old)
            return .commit(try connection.version())
        }
        guard let version else { return .raced }
        return try outcome(of: document, in: database, since: version)
    }

    /// After the commit. If another file has the database's name by now, the commit went to a file that
    /// nobody reads any more.
    private func outcome(
        of document: DatabaseDocument,
        in database: OpenDatabase,
        since version: Int64
    ) throws(DatabaseFault) -> Outcome {
        do throws(DatabaseFault) {
            do throws(DatabaseFault) {
                // With a log, a program may be writing to it; without one, none can while another reads.
                let kind: Connection.Transaction = database.hasLog ? .immediate : .deferred
                return try outcome(of: document, in: database, since: version, kind)
            } catch .busy where database.hasLog {
                let outcome = try outcome(of: document, in: database, since: version, .deferred)
                return outcome == .raced ? .raced : .swapped(signature: nil)
            }
        } catch .changing {
            return .raced
        } catch {
            // It is committed; only the state of the files is not known.
            return .swapped(signature: nil)
        }
    }

    private func outcome(
        of document: DatabaseDocument,
        in database: OpenDatabase,
        since version: Int64,
        _ kind: Connection.Transaction
    ) throws(DatabaseFault) -> Outcome {
        let connection = database.connection
        return try connection.transaction(kind) { () throws(DatabaseFault) in
            let now = try connection.version()
            guard let state = try rememberState(document.file, in: database) else { return .rollback(.raced) }
            guard now == version else { return .rollback(.swapped(signature: nil)) }
            if kind == .immediate, let log = state.writtenLog { rememberSettled(log, in: database) }
            return .rollback(.swapped(signature: state.signature))
        }
    }

    /// An empty file, which is an empty database.
    private func createDatabase(
        of document: DatabaseDocument,
        like model: Location?
    ) throws(DatabaseFault) {
        guard document.creation != nil else { throw .missingTable(document.table) }
        do throws(FileError) {
            try files.createEmpty(document.file, like: model)
        } catch .exists {
            return
        } catch {
            throw .file(error)
        }
    }
}

extension DatabaseFault {
    /// It depends on nothing but the content and the database.
    fileprivate var isRefusal: Bool {
        switch self {
        case .altered, .failed: true
        default: false
        }
    }
}

extension FileSystem {
    /// Creates an empty file with the rights of `model`, and closes it.
    func createEmpty(_ file: Location, like model: Location?) throws(FileError) {
        let handle = try create(file)
        defer { close(handle) }
        do throws(FileError) { if let model { try copyAttributes(of: model, to: handle) } } catch {
            switch error {
            case .missing, .noDirectory: return
            default: throw error
            }
        }
    }
}
