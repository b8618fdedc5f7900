import Foundation
import Testing

@testable import Commands

/// What no store can be read from, each with one line that names it.
@Suite(.timeLimit(.minutes(2))) struct StoreFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        /// A program of Python that makes the file `a`.
        var makes: String
        var flags: [String] = []
        var what: String
        var testDescription: String { what }
    }

    static let faults = [
        Fault(
            makes: "open('a', 'wb').write(plistlib.dumps({'k': 1}, fmt=plistlib.FMT_BINARY)[:-9])",
            what: "not a binary plist from there on"
        ),
        Fault(
            makes: "open('a', 'wb').write(plistlib.dumps({'k': 1})[:-20])",
            what: "expected </integer>; not an XML plist from there on"
        ),
        Fault(
            makes: "plistlib.dump([1], open('a', 'wb'), fmt=plistlib.FMT_BINARY)",
            what: "a binary plist with an array at the top, where keys are expected"
        ),
        Fault(
            makes: """
                open('a', 'w').write('<!DOCTYPE plist [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><plist><dict>'
                    '<key>k</key><string>&b;</string></dict></plist>')
                """,
            what: "not an XML plist from there on"
        ),
        Fault(makes: "open('a', 'w').write('[1]')", what: "its bytes are of no known format"),
        Fault(makes: "open('a', 'w').close()", what: "its bytes are of no known format"),
        Fault(makes: #"open('a', 'w').write('{"k":1}')"#, what: "`k` is a number, expected a string"),
        Fault(
            makes: "open('a', 'wb').write(b'\\x8f' * 4096)",
            flags: ["--as", "sqlite"],
            what: "not an SQLite database, or an encrypted one"
        ),
        Fault(
            makes: "open('a', 'wb').write(b'SQLite format 3\\0' + b'\\x8f' * 4096)",
            what: "not an SQLite database, or an encrypted one"
        ),
        Fault(
            makes: "sqlite3.connect('a').execute('create table t (k, v)')",
            what: #"the database has no table "tinybase""#
        ),
        Fault(
            makes: "sqlite3.connect('a').execute('create table t (k, v)')",
            flags: ["--table", "t", "--key-column", "k"],
            what: #"the table "t" has no column "store""#
        ),
        Fault(
            makes: "sqlite3.connect('a').execute('create view t as select 1 as _id, 2 as store')",
            flags: ["--table", "t"],
            what: #""t" is a view, not a table"#
        ),
        Fault(
            makes: "sqlite3.connect('a').execute('create table t (k, v)')",
            flags: ["--as", "flutter"],
            what: "flutter values are in a property list or in preferences, and this is neither"
        ),
        Fault(makes: "os.mkdir('a')", what: "a directory, not a file"),
        Fault(makes: "os.mkfifo('a')", what: "not a regular file"),
        Fault(makes: "os.symlink('/dev/zero', 'a')", what: "a symbolic link, not a file"),
        Fault(makes: "pass", what: "no such file"),
    ]

    @Test(arguments: faults) func `A store that cannot be read is one line, and stays as it is`(fault: Fault)
        async throws
    {
        try await StoreWorld.with { world in
            try await world.python(fault.makes)
            let before = try await world.python("os.path.isfile('a') and print(open('a', 'rb').read())")
            for words in [["list"], ["get", "k"], ["put", "k", "v", "--type", "string"]] {
                let arguments = ["store", words[0], world.path("a")] + words.dropFirst() + fault.flags
                let ran = await CommandsTests.run(arguments)
                #expect(ran.status == .failed && ran.output.isEmpty, "\(ran)")
                let line = "\(fault.what), \(world.path("a")); "
                #expect(ran.errors.contains(line), "\(ran)")
                #expect(
                    ran.errors.hasPrefix("widgetbridge: ") && ran.errors.split(separator: "\n").count == 1
                )
            }
            #expect(try await world.python("os.path.isfile('a') and print(open('a', 'rb').read())") == before)
            #expect(try world.names().allSatisfy { $0 == "a" })
        }
    }

    @Test func `A missing key is named with the command that lists the others`() async throws {
        try await StoreWorld.with { world in
            try await world.python("plistlib.dump({'k': 1}, open('a', 'wb'))")
            let command = "`widgetbridge store list D/a`"
            let line = "widgetbridge: no such key, `n` in D/a; \(command) lists all keys\n"
            #expect(await world.run("get", "a", "n") == Ran(status: .failed, errors: line))
        }
    }

    @Test func `A key with any characters is one line of the list`() async throws {
        try await StoreWorld.with { world in
            try await world.python(
                """
                values = {'a\\0b\\n': 1, 'x' * 1000000: 'y' * 1000000}
                plistlib.dump(values, open('a', 'wb'), fmt=plistlib.FMT_BINARY)
                """
            )
            let ran = await world.run("list", "a")
            #expect(ran.output.split(separator: "\n").count == 4)
            #expect(ran.output.contains("\na\\u{0}b\\u{a}"))
            #expect(ran.output.utf8.count < 1_000)
        }
    }

    @Test func `A column without its table is wrong usage`() async {
        let ran = await CommandsTests.run(["store", "list", "a", "--key-column", "k"])
        #expect(ran.status == .usage)
        #expect(ran.errors.contains("give --table with --key-column and --value-column"))
    }
}
