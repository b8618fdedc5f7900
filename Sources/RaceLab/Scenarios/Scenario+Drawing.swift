import Model

extension Scenario {
    package var hasDrawnWorkload: Bool {
        actors.contains { $0.operations.contains { $0.verb == .anything } }
    }

    /// Replaces each `anything` by random operations.
    package func drawn(seed: UInt64) -> Scenario {
        guard hasDrawnWorkload else { return self }
        var random = SeededRandom(seed: seed, .workload)
        var scenario = self
        for lane in actors.indices {
            scenario.actors[lane].operations = actors[lane].operations.flatMap { operation in
                guard operation.verb == .anything else { return [operation] }
                return (0..<(operation.count ?? 0)).map { _ in draw(&random) }
            }
        }
        return scenario
    }

    /// A random harmless operation of a program, mostly a write.
    private func draw(_ random: inout SeededRandom) -> Operation {
        let verb = random.pick([
            Operation.Verb.write, .write, .write, .edit, .truncateAndWrite, .writeInPlace, .delete, .read,
            .read,
            .subscribe, .wait,
        ])
        if verb == .wait { return Operation(.wait, duration: random.duration(upTo: .milliseconds(200))) }
        return Operation(verb, random.pick(documents).path)
    }
}
