import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A run that was killed after it published a content and before it recorded that. Both sides were edited
/// before the next run.
@Suite struct PublicationTests {
    private let disk = SimulatedDisk()
    private let journal = FaultyJournal()

    private func save(_ text: String, _ place: Location) { disk.world.save(place, Array(text.utf8)) }

    private var both: [String?] { [disk.text(inApp("a.json")), disk.text(inGroup("a.json"))] }

    private func sides(_ side: Side) throws -> (mine: Location, theirs: Location) {
        let path = try #require(RelativePath("a.json"))
        return (Location(side, path), Location(side.other, path))
    }

    private func process(_ commit: CommitMode = .rename) throws -> LivingProcess<FaultyJournal> {
        try LivingProcess(disk, journal, settings: EngineSettings(durability: .none, commit: commit))
    }

    /// Runs a process that cannot record a new base, as if it had been killed.
    private func liveUntilPublished(_ commit: CommitMode = .rename) throws {
        try journal.withoutBases { try process(commit).live() }
    }

    private func begin(_ text: String) throws {
        save(text, inApp("a.json"))
        try process().live()
    }

    @Test(arguments: [(Side.app, CommitMode.rename), (.group, .rename), (.group, .exchange)])
    func `the published value is no edit of the side that has it`(_ side: Side, _ commit: CommitMode) throws {
        let (mine, theirs) = try sides(side)
        try begin(#"{"x":0,"y":0}"#)
        save(#"{"x":0,"y":1}"#, mine)
        try liveUntilPublished(commit)
        #expect(disk.text(theirs) == #"{"x":0,"y":1}"#)
        save(#"{"x":0,"y":2}"#, mine)
        save(#"{"x":1,"y":1}"#, theirs)
        let next = try process(commit)
        next.live()
        #expect(both == [#"{"x":1,"y":2}"#, #"{"x":1,"y":2}"#])
        #expect(next.engine.counters.conflicts == 0)
        let events = try next.engine.journal.allEvents()
        #expect(events.map(\.generation) == [1, 2, 3])
        // A notice names what its reader finds.
        #expect(events[1].hashes[side.other] == Digest(of: Array(#"{"x":1,"y":1}"#.utf8)))
        #expect(try journal.intents().isEmpty)
    }

    @Test(arguments: Side.allCases)
    func `a value that was announced and not published is no base`(_ side: Side) throws {
        let (mine, theirs) = try sides(side)
        try begin(#"{"x":0,"y":0}"#)
        save(#"{"x":0,"y":1}"#, mine)
        try journal.withDeath(atRenameOn: side.other, of: disk) { try process().live() }
        #expect(disk.text(theirs) == #"{"x":0,"y":0}"#)
        #expect(try journal.intents().count == 1)
        save(#"{"x":1,"y":0}"#, theirs)
        try process().live()
        #expect(both == [#"{"x":1,"y":1}"#, #"{"x":1,"y":1}"#])
        #expect(try journal.intents().isEmpty)
    }

    @Test(arguments: Side.allCases)
    func `a program that replaced the published value before it was recorded is no reason to lose either`(
        _ side: Side
    ) throws {
        let (mine, theirs) = try sides(side)
        try begin(#"{"x":0,"y":0}"#)
        save(#"{"x":0,"y":1}"#, mine)
        try liveUntilPublished()
        save(#"{"x":0,"y":3}"#, theirs)
        let next = try process()
        next.live()
        #expect(both[0] == both[1])
        let kept = try next.engine.conflicts().flatMap { $0.fields.map(\.group) }
        #expect(both[0] == #"{"x":0,"y":3}"# || kept == ["3"] || kept == ["1"])
    }
}
