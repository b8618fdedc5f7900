import RaceLab
import Testing

@Suite("The engine in a simulated world")
struct SimulationTests {
    /// Worlds that do not end as they should yet: without rest, or with a save in the trash alone.
    /// Each that is mended leaves this list.
    static let unsolved: Set<UInt64> = [21, 48, 100, 144, 163, 198, 200, 214, 226, 276, 282]

    @Test("comes to rest with nothing lost", arguments: 0..<UInt64(300))
    func rests(seed: UInt64) throws {
        let simulation = Simulation(
            seed: seed,
            troubles: Troubles(seed: seed),
            files: { $0 },
            journal: { $0 }
        )
        guard Self.unsolved.contains(seed) else {
            _ = try simulation.run(steps: 150)
            return
        }
        withKnownIssue(isIntermittent: true) { _ = try simulation.run(steps: 150) }
    }
}
