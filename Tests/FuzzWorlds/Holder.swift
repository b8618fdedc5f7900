import FileSystem
import FileSystemSimulation
import Model
import RaceLab

/// A program that keeps its document open and saves a text of constant length in place, in two halves.
///
/// It saves a pair of equal values, so that a mixture of two saves is detected although it is valid JSON.
struct Holder {
    let place: Location
    let pen: SimulatedDisk.World.Pen
    /// `nil`: at the end of the world.
    let closesAt: Duration?
    /// The time between two saves.
    let pause: Duration
    var restsUntil: Duration
    /// The save that is half written.
    var half: (id: Int, old: [UInt8], due: Duration)?

    static func text(_ id: Int) -> [UInt8] {
        let digits = String(id)
        let value = "\"i\(String(repeating: "0", count: 7 - digits.count))\(digits)\""
        return Array("{\"p\":\(value),\"q\":\(value)}".utf8)
    }

    static func isMixed(_ bytes: [UInt8]) -> Bool { Ids.found(in: bytes).count > 1 }

    /// A bridge that waits until a file has been unchanged for two seconds reads no half of a save.
    static let quiet = Duration.seconds(5)
    static let longestHalf = Duration.seconds(1)
}

extension Workload {
    /// Opens the pair, saves a half of it, or the other half, or closes it.
    func hold(_ path: RelativePath) {
        let place = Location(holding.coin() ? Side.app : Side.group, path)
        guard let number = holders.firstIndex(where: { $0.place == place }) else { return take(place) }
        if holders[number].half != nil { return saveRest(number) }
        guard holders[number].restsUntil <= fuzzWorld.uptime else { return }
        if let end = holders[number].closesAt, end <= fuzzWorld.uptime { return letGo(number) }
        saveHalf(number)
    }

    private func take(_ place: Location) {
        guard absences[place] ?? .zero <= fuzzWorld.uptime else { return }
        guard world.read(place) != nil else { return makePair(place) }
        guard let pen = world.open(place) else { return }
        fuzzWorld.trace.record("holds open", place.description)
        fuzzWorld.tell(.opened, of: place)
        let isBrief = holding.coin()
        holders.append(
            Holder(
                place: place,
                pen: pen,
                closesAt: isBrief ? fuzzWorld.uptime + holding.duration(upTo: .seconds(4)) : nil,
                pause: isBrief ? .zero : Holder.quiet,
                restsUntil: fuzzWorld.uptime
            )
        )
    }

    private func makePair(_ place: Location) {
        let id = fuzzWorld.ledger.newId()
        guard world.save(place, Holder.text(id)) else { return }
        fuzzWorld.trace.record("saves", place.description, id)
        fuzzWorld.tell(.saved, of: place)
        fuzzWorld.ledger.acknowledge(id, at: place)
        happened(at: place)
    }

    private func saveHalf(_ number: Int) {
        let holder = holders[number]
        let old = holder.pen.bytes
        let id = fuzzWorld.ledger.newId()
        let text = Holder.text(id)
        // If another program reformatted it, it has another length.
        guard old.count == text.count else { return letGo(number) }
        holder.pen.write(Array(text[..<(text.count / 2)]), at: 0)
        holders[number].half = (id, old, fuzzWorld.uptime + Holder.longestHalf)
        fuzzWorld.trace.record("writes half of", holder.place.description, id)
        tellWritten(holder)
    }

    private func saveRest(_ number: Int) {
        let holder = holders[number]
        guard let half = holder.half else { return }
        let text = Holder.text(half.id)
        holder.pen.write(Array(text[(text.count / 2)...]), at: text.count / 2)
        holders[number].half = nil
        holders[number].restsUntil = fuzzWorld.uptime + holder.pause
        fuzzWorld.trace.record("writes the rest of", holder.place.description, half.id)
        fuzzWorld.ledger.replaced(half.old, by: text)
        fuzzWorld.ledger.acknowledge(half.id, at: holder.place)
        fuzzWorld.report.edits += 1
        fuzzWorld.finished(half.id, in: holder.pen)
        tellWritten(holder)
    }

    private func tellWritten(_ holder: Holder) {
        // A change of a displaced file is reported under another name.
        if world.isHeld(holder.place, by: holder.pen) { fuzzWorld.tell(.written, of: holder.place) }
        happened(at: holder.place)
    }

    private func letGo(_ number: Int) {
        let holder = holders.remove(at: number)
        if world.isHeld(holder.place, by: holder.pen) { fuzzWorld.tell(.closed, of: holder.place) }
        fuzzWorld.letGo(holder.pen)
        fuzzWorld.trace.record("lets go of", holder.place.description)
        absences[holder.place] = fuzzWorld.uptime + Holder.quiet
        happened(at: holder.place)
    }

    /// Completes saves so that none takes longer.
    func hurryHalves(to now: Duration) {
        for number in holders.indices {
            if let half = holders[number].half, half.due <= now { saveRest(number) }
        }
    }

    func finishHalves() { for number in holders.indices { saveRest(number) } }

    func letGoOfAll() { while !holders.isEmpty { letGo(0) } }
}
