import Foundation
import GRDB
import Model
import StateStore
import Testing

extension JournalTests {
    private static let oldTexts = [
        "moved from a/b.json in group", "both changed /a, /b: app's stands, the other is kept",
        "text|said|so",
    ]

    /// As made by a release that stored sentences.
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
            for text in Self.oldTexts {
                try database.execute(
                    sql: "INSERT INTO event VALUES (NULL, ?, 1, 'app', ?, NULL, NULL, 0, 1, 0, '')",
                    arguments: [path.description, text]
                )
            }
        }
        try old.close()
    }

    @Test func `an unambiguous sentence of an older release becomes a reason`() throws {
        let moved = try ChangeReason.movedFrom(#require(RelativePath("a/b.json")), in: .group)
        try withTemporaryFile { file in
            try makeOldJournal(file)
            for _ in 0..<2 {
                let found = try SQLiteJournal(path: file, newInstance: "new").events(of: path).map(\.what)
                #expect(found == [moved, .text(Self.oldTexts[1]), .text(Self.oldTexts[2])])
            }
        }
    }

    private static let oldConflictTexts = [
        "saved in app while another save was published: app's stands, group's is kept",
        "both changed /a, /b: app's stands, the other is kept",
    ]

    private static let oldTrashTexts = [
        "lost a conflict that a person decided", "deleted in group", "text|said|so",
    ]

    /// As made by a release that stored sentences for conflicts and the trash.
    private func makeJournalOfSchema5(_ file: String) throws {
        _ = try SQLiteJournal(path: file, newInstance: "old")
        let old = try DatabaseQueue(path: file)
        try old.write { database in
            for (place, text) in Self.oldConflictTexts.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO conflict
                        VALUES (?, ?, ?, 'app', ?, ?, CAST('[]' AS BLOB), NULL, NULL, NULL)
                        """,
                    arguments: ["\(place)", Data(Digest(of: []).bytes), path.description, place, text]
                )
            }
            for (place, text) in Self.oldTrashTexts.enumerated() {
                try database.execute(
                    sql: "INSERT INTO overwritten VALUES (?, ?, 'app', ?, ?)",
                    arguments: [Data(Digest(of: [UInt8(place)]).bytes), path.description, text, place]
                )
            }
            try database.execute(sql: "PRAGMA user_version = 5")
        }
        try old.close()
    }

    @Test func `sentences about conflicts and the trash become reasons as well`() throws {
        try withTemporaryFile { file in
            try makeJournalOfSchema5(file)
            for _ in 0..<2 {
                let journal = try SQLiteJournal(path: file, newInstance: "new")
                let conflicts = try journal.conflicts().map(\.reason)
                #expect(conflicts == [.raced(in: .app, .appStands), .text(Self.oldConflictTexts[1])])
                let trash = try journal.overwritten().map(\.reason)
                #expect(
                    trash == [
                        .conflictDecided, .changed(.deleted(in: .group)),
                        .changed(.text(Self.oldTrashTexts[2])),
                    ]
                )
                journal.close()
            }
        }
    }
}
