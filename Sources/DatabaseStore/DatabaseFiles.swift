package import Model

/// The files that SQLite keeps beside a database.
package enum DatabaseFiles {
    static let suffixes = ["-wal", "-shm", "-journal"]

    package static func files(beside database: Location) -> [Location] {
        suffixes.compactMap { suffix in
            database.path.sibling(database.path.name + suffix).map { Location(database.root, $0) }
        }
    }

    /// The database whose documents must be looked at after a change of this file; `nil` if it belongs to no
    /// database, or is `-shm`, which only has locks and an index.
    package static func database(
        changedBy file: RelativePath,
        among databases: Set<RelativePath>
    ) -> RelativePath? {
        if databases.contains(file) { return file }
        guard let (database, suffix) = parts(of: file), databases.contains(database) else { return nil }
        return suffix == "-shm" ? nil : database
    }

    /// Whether it is one of these databases, or a file beside one: it is no document itself, and no other
    /// code may open it. Closing it would drop the locks that SQLite has on it in this process.
    package static func contains(_ file: RelativePath, of databases: Set<RelativePath>) -> Bool {
        databases.contains(file) || parts(of: file).map { databases.contains($0.database) } ?? false
    }

    private static func parts(of file: RelativePath) -> (database: RelativePath, suffix: String)? {
        for suffix in suffixes where file.name.hasSuffix(suffix) {
            guard let database = file.sibling(String(file.name.dropLast(suffix.count))) else { continue }
            return (database, suffix)
        }
        return nil
    }
}
