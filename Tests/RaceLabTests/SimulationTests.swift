import RaceLab
import Testing

@Suite("The engine in a simulated world")
struct SimulationTests {
    @Test("comes to rest with nothing lost", arguments: 0..<UInt64(300))
    func rests(seed: UInt64) throws {
        let simulation = Simulation(
            seed: seed,
            troubles: Troubles(seed: seed),
            files: { $0 },
            journal: { $0 }
        )
        _ = try simulation.run(steps: 150)
    }
}
