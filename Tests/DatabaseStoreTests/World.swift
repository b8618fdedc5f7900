import DatabaseStore
import FileSystem
import Foundation
import Model
import Replica
import Stores
import TestWorld
import Testing

/// A container on the disk with a database, the bridge's store, and programs of others.
final class World {
    let directory: String
    let files: LinuxFileSystem
    let store: DatabaseStore

    init(maxBytes: Int = 1 << 20) throws {
        directory =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "widgetbridge-\(UUID().uuidString)").path
        for name in ["app", "group", "state"] {
            try FileManager.default.createDirectory(
                atPath: "\(directory)/\(name)",
                withIntermediateDirectories: true
            )
        }
        files = try LinuxFileSystem(
            app: "\(directory)/app",
            group: "\(directory)/group",
            state: "\(directory)/state"
        )
        store = DatabaseStore(files, container: "\(directory)/app", maxBytes: maxBytes, syncs: true)
    }

    deinit {
        store.close()
        try? FileManager.default.removeItem(atPath: directory)
    }

    // MARK: Files

    func real(_ name: String) -> String { "\(directory)/app/\(name)" }
    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: real(name)) }
    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(directory)/app").sorted()
    }
    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: real(name))) }

    // MARK: Other programs

    /// An app that has the database open.
    func app(_ mode: String = "DELETE", file: String = "x.db") throws -> App {
        let app = try App(real(file))
        try app.run("db.execute('PRAGMA journal_mode = \(mode)')")
        return app
    }

    /// An app with a store of TinyBase.
    func tinyBase(_ mode: String = "DELETE", _ text: String = "1", file: String = "x.db") throws -> App {
        let app = try app(mode, file: file)
        try app.run(#"db.execute('CREATE TABLE"tinybase"("_id" PRIMARY KEY,"store");')"#)
        try app.save(text)
        return app
    }

    /// What SQLite's own shell prints.
    @discardableResult
    func shell(_ sql: String, file: String = "x.db") throws -> String {
        let ended = try Running(command: ["/usr/bin/sqlite3", "-bail", real(file), sql]).waitForEnd()
        try #require(ended.status == 0, "\(ended.errors)")
        return ended.output.trimmingCharacters(in: .newlines)
    }

    // MARK: The bridge

    let tinyBase = DatabaseDocument.tinyBase(place("x.db"))

    func read(
        _ document: DatabaseDocument? = nil,
        seen: Signature? = nil,
        mayWait: Bool = true
    ) throws -> String? {
        try content(document, seen: seen, mayWait: mayWait).map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    func content(
        _ document: DatabaseDocument? = nil,
        seen: Signature? = nil,
        mayWait: Bool = true
    ) throws -> FileContent? {
        let document = document ?? tinyBase
        let reading = try store.read(document, unless: nil, seen: seen, mayWait: mayWait, isKnown: false)
        if case .content(let content) = reading { return content }
        return nil
    }

    func signature() throws -> Signature? { try store.signature(of: tinyBase, isKnown: true) }

    /// The displaced bytes; `nil` if the swap was raced.
    @discardableResult
    func swap(
        _ old: String?,
        to new: String?,
        in document: DatabaseDocument? = nil,
        meanwhile: () throws -> Void = {}
    ) throws -> [String]? {
        var kept: [String] = []
        let outcome = try store.swap(
            document ?? tinyBase,
            to: new.map { Array($0.utf8) },
            over: old.map { Digest(of: Array($0.utf8)) }
        ) { bytes in
            kept.append(String(decoding: bytes, as: UTF8.self))
            try? meanwhile()
        }
        if outcome == .raced {
            #expect(kept == [])
            return nil
        }
        return kept
    }
}

/// A program with a connection of Python's `sqlite3`, which waits for no lock.
final class App: Sendable {
    private let running: Running

    private static let script = """
        import os, sqlite3, sys
        db = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
        for line in sys.stdin:
            try:
                exec(line)
                print("done", flush=True)
            except Exception as error:
                print(error, flush=True)
        """

    init(_ database: String) throws {
        running = try Running(command: ["/usr/bin/python3", "-c", Self.script, database])
    }

    /// Returns what went wrong.
    func attempt(_ line: String) -> String? {
        running.say(line)
        let answer = running.waitForLine()
        return answer == "done" ? nil : answer ?? "it has ended"
    }

    func run(_ line: String) throws {
        if let failure = attempt(line) { throw AppFailure(text: "\(line): \(failure)") }
    }

    /// As TinyBase saves.
    func save(_ text: String) throws {
        for step in ["BEGIN", Self.save, "END"] {
            try run(
                step == Self.save ? "db.execute('''\(step)''', ('_', '\(text)'))" : "db.execute('\(step)')"
            )
        }
    }

    private static let save =
        #"INSERT INTO"tinybase"("_id","store")VALUES(?,?)ON CONFLICT("_id")DO UPDATE SET"store"=excluded."store""#

    func value(_ sql: String) throws -> String {
        running.say("print(repr(db.execute('''\(sql)''').fetchall()))")
        let answer = running.waitForLine() ?? ""
        _ = running.waitForLine()
        return answer
    }

    func kill() {
        running.send(SIGKILL)
        _ = running.waitForEnd()
    }

    /// Closes its connection.
    func end() throws {
        try run("db.close()")
        kill()
    }
}

struct AppFailure: Error { var text: String }

func place(_ name: String, _ root: Root = .app) -> Location { Location(root, path(name)) }

/// With and without a write-ahead log.
let modes = ["DELETE", "TRUNCATE", "PERSIST", "WAL"]

func expectFault(_ fault: DatabaseFault, _ body: () throws -> Void) {
    #expect(throws: fault, performing: body)
}
