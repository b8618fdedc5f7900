import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import SyncEngine

/// A caller that waits until everything saved before is in sync.
struct AskedBarrier {
    static let number: UInt64 = 1

    /// The number of the last hint of earlier changes.
    var hints: UInt64
    /// The age of the content of each name, if no program was writing to it.
    var standing: [Location: Int]
    /// When all those hints were delivered.
    var begun: Duration?
}

extension Simulation {
    /// Draws from its own random numbers, so that it does not change the rest of the world.
    func askBarrier() {
        guard engine != nil, barrier == nil, barriers.isOne(in: 4) else { return }
        var standing: [Location: Int] = [:]
        for place in faultProfile.places where !programs.pens.contains(where: { $0.place == place }) {
            let digest = fuzzWorld.disk.world.read(place).map { Digest(of: $0) }
            standing[place] = fuzzWorld.age(of: digest, at: place)
        }
        barrier = AskedBarrier(hints: fuzzWorld.watch.noted, standing: standing)
    }

    /// Begins the barrier once the hints of all earlier changes were delivered.
    func beginBarrier() {
        guard let asked = barrier, asked.begun == nil, fuzzWorld.watch.hasTold(upTo: asked.hints) else {
            return
        }
        if engine?.beginBarrier(AskedBarrier.number) == true { barrier?.begun = fuzzWorld.uptime }
        excuseHeld()
    }

    /// A document that was held when it was read may be changing again when the last one is in sync.
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
