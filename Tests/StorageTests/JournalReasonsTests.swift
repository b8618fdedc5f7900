import GRDB
import Reconciliation
import Storage
import Testing

extension JournalTests {
    private static let told = [
        "moved from a/b.json in group", "both changed /a, /b: app's stands, the other is kept",
        "text|said|so",
    ]

    /// As the release made it that kept it in words.
    private func makeOldJournal(_ file: String) throws {
        let old = try DatabaseQueue(path: file)
        try old.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE event (
                        id INTEGER PRIMARY KEY, path TEXT NOT NULL, generation INTEGER NOT NULL,
                        cause TEXT NOT NULL, what TEXT NOT NULL, appHash BLOB, groupHash BLOB,
                        at INTEGER NOT NULL, firstNotice INTEGER NOT NULL, lastNotice INTEGER NOT NULL,
                        kinds TEXT NOT NULL);
                    PRAGMA user_version = 4;
                    """
            )
            for text in Self.told {
                try database.execute(
                    sql: "INSERT INTO event VALUES (NULL, ?, 1, 'app', ?, NULL, NULL, 0, 1, 0, '')",
                    arguments: [path.description, text]
                )
            }
        }
        try old.close()
    }

    @Test func `what an older release has said of a change is kept, as a fact where that can be told`() throws
    {
        let moved = try ChangeReason.movedFrom(#require(RelativePath("a/b.json")), in: .group)
        try withTemporaryFile { file in
            try makeOldJournal(file)
            for _ in 0..<2 {
                let found = try SQLiteJournal(path: file, newInstance: "new").events(of: path).map(\.what)
                #expect(found.map(\.text) == Self.told)
                #expect(found == [moved, .text(Self.told[1]), .text(Self.told[2])])
            }
        }
    }
}
