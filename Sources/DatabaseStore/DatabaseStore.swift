package import FileSystem
package import Model
package import Replica
package import Stores

/// Documents in rows of the SQLite databases of one container.
///
/// A database is never opened as a file beside the library: closing any descriptor of it would drop the locks
/// that the library has on it in this process. Only `stat` is used.
///
/// No call waits for another program longer than a few milliseconds, and none leaves a transaction open.
package final class DatabaseStore {
    let files: any FileSystem
    private let container: String
    let maxBytes: Int
    let syncs: Bool
    private let onlyLooks: Bool
    private var databases: [Location: OpenDatabase] = [:]
    /// What `signature` found last.
    private var looked: (file: Location, state: DatabaseState)?
    /// The last refusal of each database.
    var refusals: [Location: (refusal: Refusal, fault: DatabaseFault)] = [:]

    /// - Parameters:
    ///   - container: The path of the container, which `files` has open as a root.
    ///   - maxBytes: The size limit of a document.
    ///   - syncs: A commit waits until the disk has it.
    ///   - onlyLooks: Copies of the databases are read, so that their files stay as they are.
    package init(
        _ files: any FileSystem,
        container: String,
        maxBytes: Int,
        syncs: Bool,
        onlyLooks: Bool = false
    ) {
        (self.files, self.container) = (files, container)
        (self.maxBytes, self.syncs, self.onlyLooks) = (maxBytes, syncs, onlyLooks)
    }

    deinit { close() }

    /// Closes all databases; a later call opens them again.
    package func close() {
        for (file, database) in databases {
            database.close(in: try? DatabaseState(of: file, isKnown: true, in: files))
        }
        databases = [:]
    }

    /// The signature of the document's database, without opening it; `nil` if the database is absent. It
    /// changes whenever the row may have changed, and sometimes when it has not.
    ///
    /// The database may exist without the row: only `read` shows that.
    package func signature(
        of document: DatabaseDocument,
        isKnown: Bool
    ) throws(DatabaseFault) -> Signature? {
        let state = try DatabaseState(of: document.file, isKnown: isKnown, in: files)
        looked = state.map { (document.file, $0) }
        return state?.signature
    }

    /// The same as the status of a file; `nil` if the database is absent.
    package func status(of document: DatabaseDocument) throws(DatabaseFault) -> DocumentStatus? {
        try DatabaseState(of: document.file, isKnown: true, in: files)?.status
    }

    /// The state of the database; `nil` if it is absent, and then it is not kept open either.
    func state(of file: Location, isKnown: Bool = true) throws(DatabaseFault) -> DatabaseState? {
        let state: DatabaseState?
        do throws(DatabaseFault) {
            state = try DatabaseState(of: file, isKnown: isKnown, in: files)
        } catch {
            databases[file] = nil
            throw error
        }
        if state == nil { databases[file] = nil }
        return state
    }

    /// The state that has this signature, if it is the one that was found last. It is used once.
    func takeLooked(at file: Location, _ seen: Signature?) -> DatabaseState? {
        guard let seen, let looked, looked.file == file, looked.state.signature == seen else { return nil }
        self.looked = nil
        return looked.state
    }

    /// The open database with this state.
    func open(_ file: Location, in state: DatabaseState) throws(DatabaseFault) -> OpenDatabase {
        if let known = databases[file], known.isOpen(in: state) { return known }
        // First, as the log of the new one may have the same name.
        databases[file] = nil
        let database = try OpenDatabase(
            file,
            state,
            container: container,
            files: files,
            onlyLooks: onlyLooks
        )
        let limit = Int(clamping: Int64(maxBytes) * 2 + 65_536)
        database.connection.setLimit(limit)
        databases[file] = database
        return database
    }

    /// Its file has been replaced.
    func forget(_ file: Location) { databases[file] = nil }
}
