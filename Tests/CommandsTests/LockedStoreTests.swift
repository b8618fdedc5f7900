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

    /// Runs commands before, beside and after a lock on the app's database.
    private func withLock(_ body: (_ bridge: [String], _ app: Running) async throws -> Void) async throws {
        try await withDirectory { directory in
            let start = "import os; os.chdir('\(directory)')\n"
            let app = try Running(command: ["/usr/bin/python3", "-c", start + Self.program])
            #expect(await app.line() == "made")
            let bridge = [
                "--app", directory + "/app", "--group", directory + "/group",
                "--state", directory + "/state", "--profile", "habits", "--stores", "ios",
            ]
            #expect(try await Binary.run(["sync"] + bridge).status == 0)
            try await body(bridge, app)
        }
    }

    private func lock(_ app: Running) async {
        app.say("")
        #expect(await app.line() == "locked")
    }

    private func unlock(_ app: Running) async {
        app.write("\n")
        #expect(await app.ended().status == 0)
    }

    @Test func `A sync beside a lock on a database with a log ends, and names the database`() async throws {
        try await withLock { bridge, app in
            await lock(app)
            let beside = try await Binary.run(["sync"] + bridge)
            #expect(beside.status == 7)
            #expect(beside.output.contains("has locked Documents/SQLite/beebloom.db"), "\(beside)")
            await unlock(app)
            #expect(try await Binary.run(["sync"] + bridge).status == 0)
        }
    }

    @Test func `A migration beside a lock ends, names the database, and goes on once it is gone`()
        async throws
    {
        try await withLock { bridge, app in
            let migrate = ["migrate", "apply", "--to", "1", "--allow-lossy", "--timeout", "300ms"] + bridge
            await lock(app)
            let beside = try await Binary.run(migrate)
            #expect(beside.status == 7, "\(beside)")
            #expect(beside.errors.contains("Documents/SQLite/beebloom.db: another program"), "\(beside)")
            await unlock(app)
            let after = try await Binary.run(migrate)
            #expect(after.status == 0, "\(after)")
            // What the first try had pinned is not what was pinned before.
            #expect(try await Binary.run(["migrate", "rollback"] + bridge).status == 0)
            let document = try await Binary.run(["get", "habits.json"] + bridge)
            #expect(document.output.contains("habitGroups"), "\(document)")
        }
    }

    @Test func `A rollback beside a lock ends, and names the database`() async throws {
        try await withLock { bridge, app in
            let migrate = ["migrate", "apply", "--to", "1", "--allow-lossy"] + bridge
            #expect(try await Binary.run(migrate).status == 0)
            await lock(app)
            let back = ["migrate", "rollback", "--force", "--timeout", "300ms"] + bridge
            let beside = try await Binary.run(back)
            #expect(beside.status == 7, "\(beside)")
            #expect(beside.errors.contains("Documents/SQLite/beebloom.db: another program"), "\(beside)")
            await unlock(app)
        }
    }
}
