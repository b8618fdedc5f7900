import Foundation
import Model
import TestWorld
import Testing

@testable import Commands

@Suite(.timeLimit(.minutes(5))) struct MoveCommandTests {
    /// Two containers, and a database of the habits app in the app's.
    private func withContainers(_ body: (StoreWorld) async throws -> Void) async throws {
        try await StoreWorld.with { world in
            try await world.python(
                """
                os.makedirs('app/Documents/SQLite')
                os.mkdir('group')
                db = sqlite3.connect('app/Documents/SQLite/beebloom.db')
                db.execute('pragma journal_mode=wal')
                db.execute('create table tinybase (_id primary key, store)')
                db.execute("insert into tinybase values ('_', '[{},{}]')")
                db.commit()
                """
            )
            try await body(world)
        }
    }

    private func move(_ name: String, in world: StoreWorld, _ flags: String...) async -> Ran {
        let places = ["--app", world.path("app"), "--group", world.path("group")]
        let state = ["--state", world.path("state"), "--from", "app", "--to", "group"]
        return await CommandsTests.run(["move", name] + places + state + flags)
    }

    private func moveHabits(in world: StoreWorld, _ flags: [String] = []) async -> Ran {
        let places = ["--app", world.path("app"), "--group", world.path("group")]
        let state = ["--state", world.path("state"), "--from", "app", "--to", "group"]
        let profile = ["--profile", "habits", "--stores", "ios"]
        return await CommandsTests.run(["move", "habits.json"] + places + state + profile + flags)
    }

    /// Every file with its size, mode and time.
    private func files(_ world: StoreWorld) async throws -> String {
        try await world.python(
            """
            for top, _, names in sorted(os.walk('.')):
                for name in sorted(names):
                    status = os.stat(f'{top}/{name}')
                    print(f'{top}/{name}', status.st_size, status.st_mode, status.st_mtime_ns)
            """
        )
    }

    private func names(_ world: StoreWorld) async throws -> [String] {
        try await files(world).split(separator: "\n").compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
        .filter { !$0.hasPrefix("./state") }
    }

    private let app = "./app/Documents/SQLite/beebloom.db"

    @Test func `A database is copied and compared, and its original removed once that is confirmed`()
        async throws
    {
        try await withContainers { world in
            let before = try await files(world)
            for flags in [["--dry-run"], ["--dry-run", "--confirm"]] {
                let dry = await moveHabits(in: world, flags)
                #expect(dry.status == .changesPending && dry.output.hasSuffix("; nothing was written\n"))
                #expect(try await files(world) == before)
            }
            let copied = await moveHabits(in: world)
            let source = "app:Documents/SQLite/beebloom.db"
            let line = "\(source) was copied to group:beebloom.db; --confirm removes the original\n"
            #expect(copied == Ran(status: .done, output: line))
            #expect(try await names(world) == [app, "./group/beebloom.db"])
            let between = try await files(world)
            let dry = await moveHabits(in: world, ["--confirm", "--dry-run"])
            #expect(dry.status == .changesPending)
            let again = await moveHabits(in: world)
            let same = "group:beebloom.db has the same as \(source); --confirm removes the original\n"
            #expect(again == Ran(status: .done, output: same))
            #expect(try await files(world) == between)
            #expect(await moveHabits(in: world, ["--confirm"]).status == .done)
            let row =
                "print(sqlite3.connect('group/beebloom.db').execute('select * from tinybase').fetchall())"
            #expect(try await world.python(row) == "[('_', '[{},{}]')]\n")
            #expect(try await names(world) == ["./group/beebloom.db"])
            let done = await moveHabits(in: world, ["--confirm"])
            #expect(done == Ran(status: .done, output: "only group:beebloom.db has it\n"))
        }
    }

    @Test func `A database that a program has open, or has changed since, is not removed`() async throws {
        try await withContainers { world in
            #expect(await moveHabits(in: world).status == .done)
            let program = """
                import sqlite3, sys
                db = sqlite3.connect(sys.argv[1])
                db.execute('select * from tinybase').fetchall()
                print('open', flush=True)
                sys.stdin.read()
                db.execute("update tinybase set store = '[]'")
                db.commit()
                """
            let path = world.path("app/Documents/SQLite/beebloom.db")
            let running = try Running(command: ["/usr/bin/python3", "-c", program, path])
            #expect(await running.line() == "open")
            let open = await moveHabits(in: world, ["--confirm"])
            #expect(open.status == .failed && open.errors.contains("a program has it open"), "\(open)")
            running.write("")
            #expect(await running.ended().status == 0)
            for flags in [[], ["--confirm"], ["--dry-run"]] {
                let changed = await moveHabits(in: world, flags)
                #expect(changed.status == .needsDecision && changed.errors.contains("it differs from "))
            }
            #expect(try await names(world).contains(app))
        }
    }

    @Test func `A file is moved with its bytes and its rights`() async throws {
        try await withContainers { world in
            try await world.python(
                "os.mkdir('app/a'); open('app/a/x', 'wb').write(b'\\0x'); os.chmod('app/a/x', 0o640)"
            )
            let json = await move("a/x", in: world, "--json")
            let line = """
                {"name":"a/x","from":"app:a/x","to":"group:a/x","before":"copyable","after":"copied",\
                "dryRun":false}

                """
            #expect(json == Ran(status: .done, output: line))
            #expect(await move("a/x", in: world, "--confirm").status == .done)
            let read =
                """
                print(open('group/a/x', 'rb').read(), oct(os.stat('group/a/x').st_mode), os.listdir('app/a'))
                """
            #expect(try await world.python(read) == "b'\\x00x' 0o100640 []\n")
            let none = await move("none", in: world)
            let what = "no such file in either container, app:none; give the path of one"
            #expect(none == Ran(status: .failed, errors: "widgetbridge: \(what)\n"))
        }
    }

    @Test func `A target without room is the one that is named`() async throws {
        try await withContainers { world in
            try await world.python(
                """
                db = sqlite3.connect('app/Documents/SQLite/beebloom.db')
                db.execute("insert into tinybase values ('large', ?)", ('x' * 4_000_000,))
                db.commit()
                """
            )
            let arguments = [
                "move", "habits.json", "--app", world.path("app"), "--group", world.path("group"), "--state",
                world.path("state"), "--from", "app", "--to", "group", "--profile", "habits", "--stores",
                "ios",
            ]
            // Files of more than 1 MB cannot be written.
            let limited = "trap '' XFSZ; ulimit -f 1024; exec \"$@\""
            let command = ["/bin/bash", "-c", limited, "bash", Binary.path] + arguments
            let ended = await (try Running(command: command)).ended()
            #expect(ended.status == 1 && ended.errors.contains(", group:beebloom.db; "), "\(ended)")
            #expect(try await names(world) == [app])
        }
    }

    @Test func `A killed run is continued`() async throws {
        try await withContainers { world in
            func left(_ name: String) -> String {
                ".widgetbridge-move-\(Digest(of: Array(name.utf8)).shortHex)"
            }
            // Killed while it copied.
            try write("half", to: world.path("group/\(left("beebloom.db"))"))
            #expect(await moveHabits(in: world).status == .done)
            #expect(try await names(world) == [app, "./group/beebloom.db"])
            // Killed before the original was removed.
            let directory = world.path("app/Documents/SQLite")
            let name = "\(directory)/\(left("beebloom.db"))"
            try FileManager.default.moveItem(atPath: "\(directory)/beebloom.db", toPath: name)
            #expect(await moveHabits(in: world, ["--confirm"]).status == .done)
            #expect(try await names(world) == ["./group/beebloom.db"])
        }
    }

    @Test func `What a bridge syncs is copied, but not removed`() async throws {
        try await withContainers { world in
            let places = ["--app", world.path("app"), "--group", world.path("group")]
            let state = ["--state", world.path("state")]
            try write("{}", to: world.path("app/a.json"))
            #expect(await CommandsTests.run(["sync"] + places + state).status == .done)
            #expect(await move("a.json", in: world).status == .done)
            let refused = await move("a.json", in: world, "--confirm")
            #expect(refused.status == .needsDecision)
            #expect(refused.errors.hasPrefix("widgetbridge: the bridge syncs it, and would take the removal"))
            #expect(try await names(world).contains("./app/a.json"))
        }
    }

    @Test func `A document among the keys of a store is no file`() async throws {
        try await withContainers { world in
            let ran = await move("budget.json", in: world, "--profile", "budget", "--stores", "ios")
            #expect(ran.status == .usage)
            #expect(ran.errors.hasPrefix("widgetbridge: it is not a file of its own, or a database, "))
        }
    }
}
