import DatabaseStore
import Model
import Testing

@Suite struct DatabaseFilesTests {
    private static let databases: Set = [path("x.db"), path("files/SQLite/beebloom.db")]

    @Test(arguments: [
        ("x.db", "x.db"), ("x.db-wal", "x.db"), ("x.db-journal", "x.db"),
        ("files/SQLite/beebloom.db-wal", "files/SQLite/beebloom.db"),
    ])
    func `A change of the database, its log or its journal may change its rows`(
        file: String,
        database: String
    ) {
        let found = DatabaseFiles.database(changedBy: path(file), among: Self.databases)
        #expect(found == path(database))
    }

    @Test(arguments: ["x.db-shm", "y.db-wal", "x.db-wal-wal", "-wal", "x.dbwal", "SQLite/beebloom.db"])
    func `Other files change no rows`(file: String) {
        #expect(DatabaseFiles.database(changedBy: path(file), among: Self.databases) == nil)
    }

    @Test
    func `All files of a database belong to it`() {
        for name in ["x.db", "x.db-wal", "x.db-shm", "x.db-journal"] {
            #expect(DatabaseFiles.contains(path(name), of: Self.databases))
        }
        for name in ["y.db", "x.json", "x.db-wal2"] {
            #expect(!DatabaseFiles.contains(path(name), of: Self.databases))
        }
    }
}

func path(_ text: String) -> RelativePath {
    guard let path = RelativePath(text) else { preconditionFailure("no path: \(text)") }
    return path
}
