import Foundation
import TestWorld
import Testing

/// A command beside another program that has locked a database.
@Suite(.timeLimit(.minutes(2))) struct LockedStoreTests {
    /// Makes the app's database, and after each line that it reads takes the next step.
    private static let program = """
        import json, os, sqlite3, sys
        os.makedirs('app/Documents/SQLite'); os.makedirs('group')
        def text(title):
            habit = {'id': 'h1', 'title': title, 'groupId': 'g1', 'color': '#FF5733', 'order': 1,
                'createdAt': '2026-01-02T07:00:00.000Z', 'weeklyTarget': 7}
            group = {'id': 'g1', 'title': 'Morning', 'order': 1}
            return json.dumps([{'habitGroups': {'g1': group}, 'habits': {'h1': habit}, 'checks': {}}, {}])
        def put(db, title): db.execute('insert or replace into tinybase values (?, ?)', ('_', text(title)))
        app = sqlite3.connect('app/Documents/SQLite/beebloom.db', isolation_level=None)
        app.execute('pragma journal_mode=wal')
        app.execute('create table tinybase ("_id" primary key, "store")')
        put(app, 'Water'); print('made', flush=True)
        sys.stdin.readline()
        app.execute('begin immediate')
        put(sqlite3.connect('group/beebloom.db', isolation_level=None), 'Tea'); print('locked', flush=True)
        sys.stdin.readline()
        """

    @Test func `A sync beside a lock on a database with a log ends, and names the database`() async throws {
        try await withDirectory { directory in
            let start = "import os; os.chdir('\(directory)')\n"
            let app = try Running(command: ["/usr/bin/python3", "-c", start + Self.program])
            #expect(await app.line() == "made")
            let bridge = [
                "sync", "--app", directory + "/app", "--group", directory + "/group",
                "--state", directory + "/state", "--profile", "habits", "--stores", "ios",
            ]
            #expect(try await Binary.run(bridge).status == 0)
            app.say("")
            #expect(await app.line() == "locked")
            let beside = try await Binary.run(bridge)
            #expect(beside.status == 7)
            #expect(beside.output.contains("has locked Documents/SQLite/beebloom.db"), "\(beside)")
            app.write("\n")
            #expect(await app.ended().status == 0)
            #expect(try await Binary.run(bridge).status == 0)
        }
    }
}
