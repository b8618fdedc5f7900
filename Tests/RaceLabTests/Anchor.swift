import RaceLab
import Testing

@Test(arguments: 0..<UInt64(300))
func comesToRestWithNothingLost(seed: UInt64) throws {
    let simulation = Simulation(
        seed: seed,
        troubles: Troubles(seed: seed),
        files: { $0 },
        journal: { $0 }
    )
    _ = try simulation.run(steps: 150)
}
