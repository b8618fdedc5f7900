package import FileSystem
package import Model
package import Stores

/// Copies databases between containers, whatever other programs do with them meanwhile.
package struct DatabaseCopier {
    private let files: any FileSystem
    private let containers: [Root: String]

    /// - Parameter containers: The paths of the containers, which `files` has open as roots.
    package init(_ files: any FileSystem, containers: [Root: String]) {
        (self.files, self.containers) = (files, containers)
    }

    package enum Fault: Error, Sendable, Hashable {
        case source(DatabaseFault)
        case target(DatabaseFault)
        /// There is no database to copy.
        case missing(Location)
        /// The target, or a file of SQLite beside it, which would become a part of the copy.
        case exists(Location)
        /// What SQLite's check of the copy found first.
        case broken(String)
        /// The first table that differs in the copy; `sqlite_master` is the schema.
        case differs(table: String)
    }

    /// Copies one state of a database, with its write-ahead log, and without changes that a program did not
    /// finish. The target gets its name once the copy is complete, checked and synced.
    ///
    /// - Parameter temporary: A name in the target's directory. What a killed run left there is removed.
    /// - Returns: The size of the copy in bytes.
    @discardableResult
    package func copy(
        _ source: Location,
        to target: Location,
        through temporary: Location
    ) throws(Fault) -> Int64 {
        try checkIsFree(target)
        try prepare(temporary)
        do throws(Fault) {
            try fill(temporary, from: source)
            // Without the empty log of a checked copy.
            try removeFiles(beside: temporary)
            let size = try doing(Fault.target) { () throws(FileError) in
                try files.finish(temporary, like: source)
            }
            try checkIsFree(target)
            do throws(FileError) { try files.move(temporary, to: target) } catch .exists {
                throw Fault.exists(target)
            } catch {
                throw .target(.file(error))
            }
            try doing(Fault.target) { () throws(FileError) in try files.sync(target.directory) }
            return size
        } catch {
            try? remove(temporary)
            throw error
        }
    }

    /// Throws `.differs` unless both have the same schema and the same rows.
    ///
    /// - Parameter onlyLooks: Copies are compared, so that the files stay as they are.
    package func compare(_ source: Location, with target: Location, onlyLooks: Bool = false) throws(Fault) {
        let one = try open(source, onlyLooks: onlyLooks, Fault.source)
        let other = try open(target, onlyLooks: onlyLooks, Fault.target)
        try reading(one, Fault.source) { () throws(Fault) in
            try reading(other, Fault.target) { () throws(Fault) in
                try DatabaseComparison(one.connection, other.connection).run()
            }
        }
    }

    /// Puts the content of the write-ahead log into the database, unless another program has it open.
    package func checkpoint(_ file: Location) throws(Fault) {
        let database = try open(file, Fault.source)
        try reading(database, Fault.source) { () throws(Fault) in }
        closeLog(of: database)
    }

    // MARK: Steps

    private func fill(_ temporary: Location, from source: Location) throws(Fault) {
        let one = try open(source, Fault.source)
        let other = try open(temporary, Fault.target)
        try reading(one, Fault.source) { () throws(Fault) in
            do throws(DatabaseFault) { try one.connection.copy(to: other.connection) } catch {
                // Only the copy is written.
                if case .file(.system(_, .write, _)) = error { throw .target(error) }
                throw .source(error)
            }
            try reading(other, Fault.target) { () throws(Fault) in
                try check(other.connection)
                try DatabaseComparison(one.connection, other.connection).run()
            }
        }
        other.connection.setCheckpoints(onClose: true)
    }

    private func check(_ copy: Connection) throws(Fault) {
        var found = ""
        do throws(DatabaseFault) {
            let statement = try copy.statement("PRAGMA integrity_check(1)")
            defer { statement.reset() }
            if try statement.step() { found = statement.text(0) }
        } catch {
            throw .target(error)
        }
        if found != Self.intact { throw .broken(found) }
    }

    /// The answer of `integrity_check`, which is part of SQLite's interface.
    private static let intact = "ok"

    private func open(
        _ file: Location,
        onlyLooks: Bool = false,
        _ fault: (DatabaseFault) -> Fault
    ) throws(Fault) -> OpenDatabase {
        do throws(DatabaseFault) {
            if let state = try DatabaseState(of: file, isKnown: true, in: files) {
                return try OpenDatabase(
                    file,
                    state,
                    container: containers[file.root] ?? "",
                    files: files,
                    onlyLooks: onlyLooks
                )
            }
        } catch {
            throw fault(error)
        }
        throw .missing(file)
    }

    /// Within one state of the database.
    private func reading(
        _ database: OpenDatabase,
        _ fault: (DatabaseFault) -> Fault,
        _ body: () throws(Fault) -> Void
    ) throws(Fault) {
        var failure: Fault?
        do throws(DatabaseFault) {
            try database.connection.transaction(.deferred) { () throws(DatabaseFault) in
                _ = try database.connection.number("SELECT count(*) FROM sqlite_master")
                do throws(Fault) { try body() } catch { failure = error }
                return .commit(())
            }
        } catch {
            throw failure ?? fault(error)
        }
        if !database.hadLog { closeLog(of: database) }
        if let failure { throw failure }
    }

    /// Leaves no empty log behind that was not there before.
    private func closeLog(of database: OpenDatabase) {
        let file = database.connection.file
        database.close(in: try? DatabaseState(of: file, isKnown: true, in: files))
    }

    // MARK: Names

    private func checkIsFree(_ target: Location) throws(Fault) {
        for place in [target] + DatabaseFiles.files(beside: target) {
            do throws(FileError) { _ = try files.status(of: place) } catch {
                switch error {
                case .missing: continue
                default: throw .target(.file(error))
                }
            }
            throw .exists(place)
        }
    }

    private func prepare(_ temporary: Location) throws(Fault) {
        try remove(temporary)
        try doing(Fault.target) { () throws(FileError) in try files.createEmpty(temporary, like: nil) }
    }

    private func remove(_ temporary: Location) throws(Fault) {
        try removeFiles(beside: temporary)
        try doing(Fault.target) { () throws(FileError) in try files.removeIfThere(temporary) }
    }

    private func removeFiles(beside temporary: Location) throws(Fault) {
        for place in DatabaseFiles.files(beside: temporary) {
            try doing(Fault.target) { () throws(FileError) in try files.removeIfThere(place) }
        }
    }

    private func doing<Value>(
        _ fault: (DatabaseFault) -> Fault,
        _ body: () throws(FileError) -> Value
    ) throws(Fault) -> Value {
        do throws(FileError) { return try body() } catch { throw fault(.file(error)) }
    }
}

extension FileSystem {
    fileprivate func removeIfThere(_ file: Location) throws(FileError) {
        do { try remove(file) } catch .missing {}
    }

    /// Gives a new file the rights of `model` and syncs it; returns its size. No connection has it open.
    fileprivate func finish(_ file: Location, like model: Location) throws(FileError) -> Int64 {
        let handle = try open(file)
        defer { close(handle) }
        try copyAttributes(of: model, to: handle)
        try sync(handle)
        return try status(of: handle).signature.size
    }
}
