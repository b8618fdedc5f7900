import Documents
import FileSystem
import FileSystemSimulation
import Glibc
import Model
import StateStore
import SyncEngine
import Testing

@Suite struct MigrationLogTests {
    private func entry(_ name: String, _ before: String, _ after: String, pin: Int? = nil) throws
        -> MigrationEntry
    {
        MigrationEntry(
            document: try #require(RelativePath(name)),
            side: .app,
            from: 1,
            to: 2,
            before: Digest(of: Array(before.utf8)),
            after: Digest(of: Array(after.utf8)),
            pin: pin
        )
    }

    private func run(_ number: Int, _ kind: MigrationRun.Kind, _ entries: [MigrationEntry], first: Int? = nil)
        -> MigrationRun
    {
        var run = MigrationRun(number: number, kind: kind, first: first ?? number, at: 5, profile: "p\tq")
        run.entries = entries
        return run
    }

    @Test func `An entry is read as it was written, whatever its name contains`() throws {
        let disk = SimulatedDisk()
        var noted = run(
            1,
            .apply,
            [try entry("a\tb\n\\c.json", "1", "2", pin: 7), try entry("d.json", "1", "3")]
        )
        noted.lenses = []
        let log = try disk.state.begin(noted)
        try log.record(noted.entries)
        log.close()
        #expect(try disk.state.migrationHistory().runs == [noted])
        #expect(try disk.state.migrationHistory().unfinished == noted)
        try disk.state.end(noted)
        noted.isEnded = true
        #expect(try disk.state.migrationHistory().runs == [noted])
        #expect(try disk.state.migrationHistory().nextNumber == 2)
    }

    @Test func `A truncated line does not count`() throws {
        let disk = SimulatedDisk()
        let noted = run(1, .apply, [try entry("a.json", "1", "2")])
        let log = try disk.state.begin(noted)
        try log.record(noted.entries)
        log.close()
        let file = Location(.state, try #require(RelativePath("migrations/1.log")))
        let bytes = try #require(disk.world.read(file))
        for count in 1..<bytes.count {
            _ = disk.world.overwrite(file, Array(bytes.prefix(count)))
            let runs = try disk.state.migrationHistory().runs
            #expect(runs.allSatisfy { $0.entries.isEmpty } && runs.count < 2)
        }
    }

    @Test func `An incomplete entry is the last one`() throws {
        let disk = SimulatedDisk()
        let noted = run(1, .apply, [try entry("a.json", "1", "2"), try entry("b.json", "1", "2")])
        let log = try disk.state.begin(noted)
        try log.record([noted.entries[0]])
        disk.fail = { call, _ in call == .write ? .short(20, ENOSPC) : nil }
        #expect(throws: FileError.self) { try log.record([noted.entries[1]]) }
        disk.fail = { _, _ in nil }
        #expect(throws: FileError.self) { try log.record([noted.entries[1]]) }
        log.close()
        #expect(try disk.state.migrationHistory().runs.map(\.entries) == [[noted.entries[0]]])
    }

    @Test func `A run that could not begin was not killed`() throws {
        let disk = SimulatedDisk()
        disk.fail = { call, _ in call == .write ? .short(60, ENOSPC) : nil }
        #expect(throws: FileError.self) { try disk.state.begin(run(1, .apply, [])) }
        disk.fail = { _, _ in nil }
        #expect(try disk.state.migrationHistory().unfinished == nil)
        #expect(try disk.state.migrationHistory().nextNumber == 1)
    }

    @Test func `The last migration that was not rolled back is the one to roll back`() throws {
        let (a, b) = (try entry("a.json", "1", "2"), try entry("b.json", "1", "2"))
        let later = try entry("a.json", "2", "3")
        var history = MigrationHistory(runs: [run(1, .apply, [a, b]), run(2, .apply, [later])])
        #expect(history.last == [later])
        history.runs.append(run(3, .rollback, [later]))
        #expect(history.last == [a, b])
        history.runs.append(run(4, .rollback, [a]))
        #expect(history.last == [b])
        history.runs.append(run(5, .rollback, [b]))
        #expect(history.last.isEmpty)
    }

    @Test func `Edited lenses are found of documents whose names and lenses only look alike`() throws {
        let names = ["cafe\u{301}.json", "caf\u{E9}.json"]
        let rules = names.map { name in
            let lens = #"{versions: {1: {}, 2: {lenses: [{remove: "\#(name)"}]}}, version: {field: v}}"#
            return try? Profile(yaml: "profile: p\ndocuments: {\"\(name)\": \(lens)}", file: "p").documents[0]
        }
        let texts = try rules.map { try #require($0).lensTexts(to: 2) }
        var applied = run(1, .apply, [try entry("a.json", "1", "2")])
        func drift(_ texts: [[String]]) -> [String] {
            applied.lenses = zip(names, texts).map { .init(rule: $0, version: 2, texts: $1) }
            return MigrationHistory(runs: [applied]).drift { name in
                names.firstIndex { $0.utf8.elementsEqual(name.utf8) }.flatMap { rules[$0] }
            }.map(\.document)
        }
        #expect(drift(texts) == [])
        #expect(drift([texts[1], texts[0]]).map { Array($0.utf8) } == names.map { Array($0.utf8) })
    }

    @Test func `A run that continues a killed one belongs to the same migration`() throws {
        let (a, b) = (try entry("a.json", "1", "2"), try entry("b.json", "1", "2"))
        let history = MigrationHistory(runs: [run(1, .apply, [a, b]), run(2, .apply, [b], first: 1)])
        #expect(history.last == [a, b])
    }

    @Test func `A migration that an older release finished stays finished, and later ones do not`() throws {
        let disk = SimulatedDisk()
        let (a, b) = (try entry("a.json", "1", "2"), try entry("b.json", "1", "2"))
        for (number, entry) in [(1, a), (2, b)] {
            let log = try disk.state.begin(run(number, .apply, [entry]))
            try log.record([entry])
            log.close()
            guard number == 1 else { continue }
            let mark = try #require(RelativePath("migrations/1.finished"))
            disk.close(try disk.create(Location(.state, mark)))
        }
        let history = try disk.state.migrationHistory()
        #expect(history.firstFinished(of: [a, b]) == a && history.firstFinished(of: [b]) == nil)
    }

    @Test
    func `The unfinished documents of the last migration are rolled back, or all if all are unfinished`()
        throws
    {
        let (a, b) = (try entry("a.json", "1", "2"), try entry("b.json", "1", "2"))
        var history = MigrationHistory(runs: [run(1, .apply, [a, b]), run(2, .finish, [a])])
        #expect(history.last == [b] && history.firstFinished(of: history.last) == nil)
        #expect(history.unfinished == history.runs[0])
        history.runs.append(run(3, .finish, [b]))
        #expect(history.last == [a, b] && history.firstFinished(of: history.last) == a)
        history.runs.append(run(4, .apply, [a]))
        #expect(history.firstFinished(of: [a]) == nil)
    }
}
