import FileSystemSimulation
import Foundation
import FuzzWorlds
import RaceLab
import StateStore
import TestWorld
import Testing

@Suite("The engine in a simulated world", .threadPerTest)
struct SimulationTests {
    static func simulation(_ seed: UInt64, _ faultProfile: FaultProfile? = nil) -> Simulation {
        Simulation(
            seed: seed,
            faultProfile: faultProfile ?? FaultProfile(seed: seed),
            files: { $0 },
            journal: { $0 }
        )
    }

    private static let recorded = Recorded("worlds")
    /// Traces are recorded of one world in so many; what must hold, does so in all of them.
    private static let recordedEvery: UInt64 = 4

    /// A world to its end, which is as it was recorded: call for call.
    @discardableResult
    private static func run(
        _ seed: UInt64,
        _ faultProfile: FaultProfile? = nil,
        steps: Int = 150,
        test: String = #function
    ) throws -> Report {
        let simulation = simulation(seed, faultProfile)
        let report = try simulation.run(steps: steps)
        guard seed.isMultiple(of: recordedEvery) else { return report }
        let name = "\(test.prefix { $0 != "(" }) \(seed)"
        #expect(recorded.complaint(name, String(simulation.fuzzWorld.trace.hash, radix: 16)) == nil)
        return report
    }

    /// With `WIDGETBRIDGE_WORLDS` one world in so many.
    static func seeds(_ count: UInt64) -> [UInt64] {
        let stated = ProcessInfo.processInfo.environment["WIDGETBRIDGE_WORLDS"].flatMap { UInt64($0) }
        return Array(stride(from: 0, to: count, by: Int(max(1, stated ?? 1))))
    }

    @Test("comes to rest with nothing lost", arguments: seeds(300))
    func rests(seed: UInt64) throws {
        try Self.run(seed)
    }

    @Test("keeps what each durability promises when the power goes", arguments: seeds(150))
    func survivesPowerCuts(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(seed: seed, powerCuts: true))
    }

    /// Where the kernel's queue decides on what each save was made.
    @Test("keeps what a program saves over without having read it", arguments: seeds(120))
    func keepsUnseen(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(staleSeed: seed))
    }

    /// Which of two the bridge cannot always tell: here and there both are kept.
    @Test("hardly ever sets a program's save against an earlier one of its own")
    func keepsInOrder() throws {
        var contradictions = 0
        for seed in Self.seeds(20) {
            for fillsState in [false, true] {
                let faultProfile = FaultProfile(staleSeed: seed, fillsState: fillsState)
                contradictions += try Self.simulation(seed, faultProfile).run(steps: 150).contradictions
            }
        }
        #expect(contradictions <= 40)
    }

    @Test("also where the trash has no room for what it had read", arguments: seeds(120))
    func keepsUnseenWithoutRoom(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(staleSeed: seed, fillsState: true))
    }

    /// It fails, blocks and is restored from a copy, at any call.
    @Test("loses nothing and tells nobody wrong whatever becomes of its journal", arguments: seeds(300))
    func outlivesItsJournal(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(journalSeed: seed))
    }

    @Test("is not held up by open files, wrong clocks and a helper that hangs", arguments: seeds(150))
    func isNotHeldUp(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(hinderedSeed: seed))
    }

    @Test("goes on by an edited profile, and by no other", arguments: seeds(200))
    func followsEdits(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(profileSeed: seed))
    }

    @Test("lets merge rules decide, and loses nothing else", arguments: seeds(120))
    func mergesByRule(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(ruledSeed: seed))
    }

    @Test("takes a folder with another name for what it is, edited or not", arguments: seeds(60))
    func followsFolders(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(folderSeed: seed))
    }

    @Test("goes on in a folder of all documents whose name changes", arguments: seeds(120) + [359])
    func followsRenames(seed: UInt64) throws {
        _ = try Self.simulation(seed, FaultProfile(renamedSeed: seed)).run(steps: 150)
    }

    @Test("goes on by an edited profile whatever becomes of its journal", arguments: seeds(60))
    func followsEditsOnAnyJournal(seed: UInt64) throws {
        try Self.run(seed, FaultProfile(battledProfileSeed: seed))
    }

    @Test("holds nobody up for what is saved later", arguments: seeds(20))
    func endsBarriers(seed: UInt64) throws {
        let report = try Self.run(seed, FaultProfile(busySeed: seed), steps: 500)
        #expect(report.barriers > 0)
    }

    @Test("the same seed is the same story, call for call")
    func repeats() throws {
        for seed in 0..<UInt64(20) {
            #expect(try Self.trace(seed) == Self.trace(seed))
        }
    }

    /// Another process has another seed for its hashes: an order that depends on one would differ.
    @Test("in another process, too")
    func repeatsElsewhere() async throws {
        let child = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            for seed in 0..<UInt64(20) { print("trace \(seed) \(try SimulationTests.trace(seed))") }
        }
        let output = String(decoding: child?.standardOutputContent ?? [], as: UTF8.self)
        let lines = output.split(separator: "\n").filter { $0.hasPrefix("trace ") }
        #expect(try lines.map(String.init) == (0..<UInt64(20)).map { "trace \($0) \(try Self.trace($0))" })
    }

    static func trace(_ seed: UInt64) throws -> UInt64 {
        let simulation = simulation(seed)
        _ = try simulation.run(steps: 80)
        return simulation.fuzzWorld.trace.hash
    }
}
