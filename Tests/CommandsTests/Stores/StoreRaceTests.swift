import Foundation
import TestWorld
import Testing

@testable import Commands

/// Values of stores that other programs write at the same time.
@Suite(.timeLimit(.minutes(5))) struct StoreRaceTests {
    @Test(arguments: ["FMT_BINARY", "FMT_XML"])
    func `Programs that write at the same time lose nothing`(format: String) async throws {
        try await StoreWorld.with { world in
            try await world.python(
                "plistlib.dump({f'k{n}': 0 for n in range(6)}, open('a', 'wb'), fmt=plistlib.\(format))"
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                for key in 0..<6 {
                    group.addTask {
                        for value in 1...5 {
                            let ended = try await world.binary("put", "a", "k\(key)", "\(value)")
                            #expect(ended.status == 0, "\(ended.errors)")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let read = try await world.python(
                "print(set(plistlib.load(open('a', 'rb')).values()), os.listdir('.'))"
            )
            #expect(read == "{5} ['a']\n")
        }
    }

    @Test func `What an app saves at the same time is kept`() async throws {
        try await StoreWorld.with { world in
            try await world.python("plistlib.dump({'app': 0, 'ours': 0}, open('a', 'wb'))")
            let app = """
                import os, plistlib, sys
                for number in range(1, 500):
                    values = plistlib.load(open(sys.argv[1], 'rb'))
                    values['app'] = number
                    plistlib.dump(values, open(sys.argv[1] + '.new', 'wb'))
                    os.rename(sys.argv[1] + '.new', sys.argv[1])
                """
            let saving = try Running(command: ["/usr/bin/python3", "-c", app, world.path("a")])
            for number in 1...50 {
                #expect(await world.run("put", "a", "ours", "\(number)").status == .done)
            }
            #expect(await saving.ended().status == 0)
            #expect(await world.run("get", "a", "app").output == "499\n")
            #expect(try world.names() == ["a"])
        }
    }

    @Test func `What an Android app saves at the same time is kept`() async throws {
        try await StoreWorld.with { world in
            try write(StoreWorld.preferences, to: world.path("a.xml"))
            // As AOSP saves what it has in memory.
            let app = """
                import os, sys
                path = sys.argv[1]
                for number in range(500):
                    if not os.path.exists(path + '.bak'):
                        os.rename(path, path + '.bak')
                    with open(path, 'w') as file:
                        file.write('<map><int name="app" value="')
                        file.flush()
                        file.write(f'{number}" /></map>')
                    os.remove(path + '.bak')
                """
            let saving = try Running(command: ["/usr/bin/python3", "-c", app, world.path("a.xml")])
            for number in 1...40 {
                // On a busy machine the app may not run for the usual five seconds.
                let ran = await world.run("put", "a.xml", "k", "\(number)", "--type", "int32", "--timeout=1m")
                #expect(ran.status == .done, "\(ran)")
            }
            #expect(await saving.ended().status == 0)
            #expect(await world.run("get", "a.xml", "app").output == "499\n")
            #expect(try world.names() == ["a.xml"])
        }
    }

    @Test func `What another program is writing is left alone`() async throws {
        try await StoreWorld.with { world in
            try write(StoreWorld.preferences, to: world.path("a.xml"))
            try write(StoreWorld.preferences, to: world.path("a.xml.bak"))
            let backup = await world.run("put", "a.xml", "month", "x", "--timeout", "50ms")
            #expect(backup.status == .failed)
            #expect(backup.errors.contains("its backup, .bak, exists, D/a.xml; "))
            #expect(backup.errors.split(separator: "\n").count == 1)
            try await world.python(
                """
                db = sqlite3.connect('a.db')
                db.execute('create table tinybase (_id primary key, store)')
                db.execute("insert into tinybase values ('k', 'v')")
                db.commit()
                """
            )
            let lock = """
                import sqlite3, sys
                db = sqlite3.connect(sys.argv[1], isolation_level=None)
                db.execute('begin exclusive')
                file = open(sys.argv[2], 'a')
                print('locked', flush=True)
                sys.stdin.read()
                """
            let paths = [world.path("a.db"), world.path("b.xml")]
            try write(StoreWorld.preferences, to: paths[1])
            let program = try Running(command: ["/usr/bin/python3", "-c", lock] + paths)
            #expect(await program.line() == "locked")
            for (file, what) in [("a.db", "has locked the database"), ("b.xml", "has it open for writing")] {
                let ran = await world.run("put", file, "month", "x", "--type", "string", "--timeout", "50ms")
                #expect(ran.status == .failed && ran.errors.contains(what), "\(ran)")
                #expect(ran.errors.hasSuffix("or give a longer --timeout\n"))
            }
            program.write("")
            #expect(await program.ended().status == 0)
            #expect(await world.run("put", "a.db", "k", "x").status == .done)
        }
    }
}
