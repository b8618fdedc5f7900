package import DatabaseStore
import DirectoryReplica
import Documents
package import FileSystem
package import Model
import Stores

/// Moves a file or a database from one container to the other: it is copied, compared, and removed only when
/// that is confirmed. Every step can be repeated after a killed run.
package struct ContainerMove {
    private let files: any FileSystem
    private let copier: DatabaseCopier
    private let source: Location
    private let target: Location
    private let limit: Int

    /// - Parameters:
    ///   - containers: The paths of the containers, which `files` has open as roots.
    ///   - limit: The largest file, in bytes, that is not a database.
    package init(
        _ source: Location,
        to target: Location,
        in files: any FileSystem,
        containers: [Root: String],
        limit: Int
    ) {
        (self.files, self.source, self.target, self.limit) = (files, source, target, limit)
        copier = DatabaseCopier(files, containers: containers)
    }

    package enum Fault: Error, Sendable, Hashable {
        case file(FileError)
        case copier(DatabaseCopier.Fault)
        case tooLarge(limit: Int)
        /// Neither container has it.
        case missing
        /// Both have it, and they differ.
        case differs
        /// A program has it open.
        case inUse
    }

    /// How far it has come.
    package enum Progress: String, Sendable, Hashable, CaseIterable, Comparable {
        case copyable
        /// Both have the same.
        case copied
        /// Only the target is left.
        case moved

        package static func < (one: Self, other: Self) -> Bool {
            (allCases.firstIndex(of: one) ?? 0) < (allCases.firstIndex(of: other) ?? 0)
        }
    }

    /// - Parameter onlyLooks: Leaves all files as they are. Else SQLite may finish what a program began.
    package func progress(onlyLooks: Bool) throws(Fault) -> Progress {
        let left = try isThere(source) ? source : try sibling(of: source)
        switch (try isThere(left), try isThere(target)) {
        case (false, false): throw .missing
        case (true, false): return .copyable
        case (false, true): return .moved
        case (true, true):
            try compare(left, onlyLooks: onlyLooks)
            return .copied
        }
    }

    /// Gives the source the name back that a killed run took from it.
    package func resume() throws(Fault) {
        let temporary = try sibling(of: source)
        guard try !isThere(source), try isThere(temporary) else { return }
        try doing { () throws(FileError) in _ = try files.move(temporary, to: source) }
    }

    // MARK: Copying

    /// The target gets its name once the copy is complete, checked and synced.
    package func copy() throws(Fault) {
        let temporary = try sibling(of: target)
        if try isDatabase(source) {
            try makeDirectories()
            do throws(DatabaseCopier.Fault) {
                try copier.copy(source, to: target, through: temporary)
            } catch {
                throw .copier(error)
            }
            return
        }
        let bytes = try contents(of: source)
        try makeDirectories()
        try doing { () throws(FileError) in
            do throws(FileError) { try files.remove(temporary) } catch {
                guard case .missing = error else { throw error }
            }
            try files.copy(bytes, of: source, to: temporary)
            try files.move(temporary, to: target)
            try files.sync(target.directory)
        }
        try compare(source)
    }

    private func makeDirectories() throws(Fault) {
        guard let side = target.side else { return }
        var keeper = FolderKeeper(side, syncs: true)
        try doing { () throws(FileError) in try keeper.makeDirectories(above: target.path, in: files) }
    }

    // MARK: Confirming

    /// Removes the source, which must be the same as the target. It gets another name first: a program that
    /// opens it later finds none, and one that changed it before is seen.
    package func removeSource() throws(Fault) {
        let isDatabase = try isDatabase(source)
        if isDatabase { try settleDatabase() }
        let temporary = try sibling(of: source)
        try doing { () throws(FileError) in try files.rename(source, to: temporary, .exclusive) }
        do throws(Fault) {
            if files.signature(ofFileBeingWritten: temporary) != nil { throw .inUse }
            if isDatabase, try hasFilesBeside() { throw .inUse }
            try compare(temporary)
        } catch {
            try doing { () throws(FileError) in _ = try files.move(temporary, to: source) }
            throw error
        }
        try doing { () throws(FileError) in
            try files.remove(temporary)
            try files.sync(source.directory)
        }
    }

    /// Without a log and a journal, nobody has it open but programs that do nothing.
    private func settleDatabase() throws(Fault) {
        do throws(DatabaseCopier.Fault) { try copier.checkpoint(source) } catch { throw .copier(error) }
        if try hasFilesBeside() { throw .inUse }
    }

    private func hasFilesBeside() throws(Fault) -> Bool {
        for file in DatabaseFiles.files(beside: source) where try isThere(file) { return true }
        return false
    }

    // MARK: Looking

    private func compare(_ one: Location, onlyLooks: Bool = false) throws(Fault) {
        if try isDatabase(one) {
            do throws(DatabaseCopier.Fault) {
                try copier.compare(one, with: target, onlyLooks: onlyLooks)
            } catch .differs {
                throw .differs
            } catch {
                throw .copier(error)
            }
            return
        }
        guard try contents(of: one) == contents(of: target) else { throw .differs }
    }

    /// Nothing in this process has it open as a database now.
    private func isDatabase(_ file: Location) throws(Fault) -> Bool {
        try doing { () throws(FileError) in
            StoreFileKind(detecting: try files.contents(of: file, limit: 16)) == .database
        }
    }

    private func contents(of file: Location) throws(Fault) -> [UInt8] {
        let bytes = try doing { () throws(FileError) in try files.contents(of: file, limit: limit + 1) }
        guard bytes.count <= limit else { throw .tooLarge(limit: limit) }
        return bytes
    }

    private func isThere(_ file: Location) throws(Fault) -> Bool {
        try doing { () throws(FileError) in
            do throws(FileError) {
                let kind = try files.status(of: file).kind
                guard kind == .regular else { throw .notRegular(file, kind) }
                return true
            } catch {
                switch error {
                case .missing: return false
                case .noDirectory(let directory) where directory.path != nil: return false
                default: throw error
                }
            }
        }
    }

    /// A bridge takes it for none of its own, and a killed run's is found again.
    private func sibling(of file: Location) throws(Fault) -> Location {
        let name = ".widgetbridge-move-\(Digest(of: Array(file.path.name.utf8)).shortHex)"
        guard let path = file.path.sibling(name) else { throw .file(.unsupported(.create, file)) }
        return Location(file.root, path)
    }

    private func doing<Value>(_ body: () throws(FileError) -> Value) throws(Fault) -> Value {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}

extension FileSystem {
    /// Creates a file with these bytes and the rights of another one.
    fileprivate func copy(_ bytes: [UInt8], of model: Location, to file: Location) throws(FileError) {
        let handle = try create(file)
        defer { close(handle) }
        if !bytes.isEmpty { try write(bytes, to: handle) }
        try copyAttributes(of: model, to: handle)
        try sync(handle)
    }
}
