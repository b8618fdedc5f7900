import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import SyncEngine

/// Somebody who has asked to be told once everything that was saved before is in sync.
struct AskedBarrier {
    static let number: UInt64 = 1

    /// Hints of what was done before have no higher numbers.
    var hints: UInt64
    /// How new what stood at each name was, where no program was writing to it.
    var standing: [Location: Int]
    /// All those hints have been told.
    var begun: Duration?
}

extension Simulation {
    /// Beside everything else: it draws from a stream of its own, and changes nothing of the world.
    func askBarrier() {
        guard engine != nil, barrier == nil, barriers.isOne(in: 4) else { return }
        var standing: [Location: Int] = [:]
        for place in faultProfile.places where !programs.pens.contains(where: { $0.place == place }) {
            let digest = fuzzWorld.disk.world.read(place).map { Digest(of: $0) }
            standing[place] = fuzzWorld.age(of: digest, at: place)
        }
        barrier = AskedBarrier(hints: fuzzWorld.watch.noted, standing: standing)
    }

    /// Once all has been heard that was done before.
    func beginBarrier() {
        guard let asked = barrier, asked.begun == nil, fuzzWorld.watch.hasTold(upTo: asked.hints) else {
            return
        }
        if engine?.beginBarrier(AskedBarrier.number) == true { barrier?.begun = fuzzWorld.uptime }
        excuseHeld()
    }

    /// What was held once it was looked at may be changing again by the time the last one is in sync.
    private func excuseHeld() {
        guard let engine, let standing = barrier?.standing else { return }
        barrier?.standing = standing.filter { engine.heldDocuments(among: [$0.key.path]).isEmpty }
    }

    func judgeBarrier() throws(Violation) {
        excuseHeld()
        guard let asked = barrier, let begun = asked.begun, let engine else { return }
        if engine.halt != nil { return dropBarrier() }
        guard engine.hasPassed(barrier: AskedBarrier.number) else {
            if faultProfile.isBusy, fuzzWorld.uptime - begun > Self.mostPatience { throw .starved }
            return
        }
        dropBarrier()
        fuzzWorld.report.barriers += 1
        for (place, age) in asked.standing.sorted(by: { $0.key.description < $1.key.description }) {
            guard let side = place.side else { continue }
            let agreed = fuzzWorld.age(of: engine.row(place.path)?.hashes[side] ?? nil, at: place)
            if agreed.map({ $0 < age }) ?? true { throw .passedEarly(place) }
        }
    }

    func dropBarrier() {
        engine?.endBarrier(AskedBarrier.number)
        barrier = nil
    }

    private static var mostPatience: Duration { .milliseconds(500) }
}

extension FaultProfile {
    var places: [Location] { Side.allCases.flatMap { side in names.map { Location(side, $0) } } }
}
