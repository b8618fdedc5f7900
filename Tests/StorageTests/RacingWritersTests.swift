import FileSystem
import FileSystemSimulation
import Model
import TestWorld
import Testing

/// Writers race with the bridge between any two of its calls. Each line that one of them saved must be in
/// the document at the end or, as a whole, in the trash: the bridge displaced nothing without reading it.
@Suite struct RacingWritersTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        var writers: Int
        var styles: [Writers.Style]
        var seeds: Range<UInt64> = 0..<200

        var testDescription: String { "\(writers) writers, \(styles)" }
    }

    private static let settings =
        [2, 4, 8].map { Setting(writers: $0, styles: Writers.Style.allCases) }
        + Writers.Style.allCases.map { Setting(writers: 4, styles: [$0]) }

    /// The saved lines that are nowhere any more.
    private func losses<Door: FileSystem>(
        _ setting: Setting,
        seed: UInt64,
        mistake: LineBridge<Door>.Mistake? = nil,
        behind door: (SimulatedDisk) -> Door
    ) throws -> [String] {
        let disk = SimulatedDisk()
        var draws = SplitMix(seed)
        if draws.oneIn(2) { disk.world.save(app("a.json"), .text("first\n")) }
        var bridge = try LineBridge(door(disk), app("a.json"), mistake: mistake)
        let writers = Writers(
            setting.writers,
            of: app("a.json"),
            on: disk,
            styles: setting.styles,
            seed: draws.next()
        )
        disk.meanwhile = { _, _ in writers.act() }
        for number in 0..<10 {
            try bridge.add("bridge-\(number)")
            if draws.oneIn(2) { try bridge.resolve() }
        }
        disk.meanwhile = { _, _ in }
        writers.finish()
        while !bridge.isAtRest { try bridge.resolve() }
        #expect(disk.openHandles == 0)
        let left = disk.world.files(.app).map(\.path.description)
        #expect(left == ["a.json"] || mistake != nil, "seed \(seed)")
        let kept = [Root.app, .state].flatMap { disk.world.files($0) }.map { lines($0.bytes) }
        return writers.acknowledged.filter { line in !kept.contains { $0.contains(line) } }
    }

    @Test(arguments: settings) func `nothing that was saved is lost`(setting: Setting) throws {
        for seed in setting.seeds {
            #expect(try losses(setting, seed: seed) { $0 } == [], "seed \(seed)")
        }
    }

    /// A check that cannot fail proves nothing.
    @Test(arguments: LineBridge<SimulatedDisk>.Mistake.allCases)
    func `a faulty bridge loses a save`(mistake: LineBridge<SimulatedDisk>.Mistake) throws {
        let setting = Setting(writers: 4, styles: Writers.Style.allCases)
        var losing = 0
        for seed in setting.seeds {
            let lost = try losses(setting, seed: seed, mistake: mistake) { $0 }
            if !lost.isEmpty { losing += 1 }
        }
        #expect(losing > 0)
    }

    @Test(arguments: [DoorFault.exchangeLosesDisplaced, .deniesWriters])
    func `with a faulty file system a save is lost`(fault: DoorFault) throws {
        let setting = Setting(writers: 4, styles: Writers.Style.allCases)
        var losing = 0
        for seed in setting.seeds {
            let lost = try? losses(setting, seed: seed) { FaultyDoor($0, fault) }
            if lost?.isEmpty != true { losing += 1 }
        }
        #expect(losing > 0)
    }
}
