import FileSystem
import FileSystemSimulation
import Model
import RaceLab

/// The programs of both sides: they save, delete and rename as programs do, without the bridge.
///
/// The writers of one side take turns at a document with a lock of their own, as one app does.
final class Workload {
    let fuzzWorld: FuzzWorld
    let faultProfile: FaultProfile
    var random: SeededRandom
    var versions: BothSides<Int>
    /// What a program holds in memory of a document: as it last read or saved it.
    var memory: [Location: TestDocument] = [:]
    /// What a program gave a name by renaming, until it looks there again: it need not have read that. The
    /// bridge may have put something else there since, as with what a program has in memory.
    var placed: [Location: [UInt8]] = [:]
    var pens: [SlowSave] = []
    var holders: [Holder] = []
    /// Who holds nothing until then.
    var absences: [Location: Duration] = [:]
    var holding: SeededRandom
    private var bounds: SeededRandom
    /// Of what is saved that merge rules decide.
    var ruling: SeededRandom
    /// What programs have added to the sum of each document.
    var totals: [RelativePath: Int] = [:]
    /// What each side's programs call the folder of the documents now, where they follow it.
    var folders = BothSides<RelativePath?>(app: nil, group: nil)
    /// The version that a program saved a document in last, since that was created.
    var spoken: [Location: Int] = [:]

    init(_ fuzzWorld: FuzzWorld, seed: UInt64) {
        self.fuzzWorld = fuzzWorld
        faultProfile = fuzzWorld.faultProfile
        random = SeededRandom(seed: seed, .workload)
        holding = SeededRandom(seed: seed, .holders)
        ruling = SeededRandom(seed: seed, .rules)
        bounds = SeededRandom(seed: ~seed, .bounds)
        versions = faultProfile.editsProfile ? BothSides(app: 1, group: 1) : faultProfile.versions
        fuzzWorld.follow = { [unowned self] place, target in
            for number in pens.indices where pens[number].place == place { pens[number].place = target }
        }
    }

    var world: SimulatedDisk.World { fuzzWorld.disk.world }

    /// Somebody does something.
    func act() {
        fuzzWorld.pass(.microseconds(20))
        if let pair = faultProfile.pair, holding.isOne(in: 3) { return hold(pair) }
        if !pens.isEmpty, random.coin() {
            advance(random.below(pens.count))
            return
        }
        let side = random.coin() ? Side.app : Side.group
        let place = current(Location(faultProfile.loneWriter ?? side, random.pick(faultProfile.names)))
        guard !pens.contains(where: { $0.place == place }) else { return }
        if faultProfile.movesFolders, random.isOne(in: 12) { return moveFolder(of: place) }
        switch random.below(12) {
        case 0 where faultProfile.deletes: delete(place)
        case 1 where faultProfile.moves: move(place)
        case 2 where faultProfile.respells: respell(place)
        case 3 where faultProfile.takesDirectories: takeDirectory(of: place)
        case 4 where faultProfile.swapsKinds: swapKind(of: place)
        case 5 where faultProfile.upgrades: versions.app = 2
        case 6 where faultProfile.isStale: _ = remember(place)
        default: edit(place)
        }
    }

    // MARK: Reading

    func isVersioned(_ place: Location) -> Bool { faultProfile.isVersioned(place.path) }

    /// What the program of that side makes of what is there; `nil` if it cannot read it.
    func read(_ place: Location) -> TestDocument? {
        guard let bytes = world.read(place),
            var content = TestDocument(bytes, isVersioned: isVersioned(place))
        else { return nil }
        guard let version = content.version else { return content }
        guard version <= speaks(place) else { return nil }
        content.version = speaks(place)
        return content
    }

    private func remember(_ place: Location) -> TestDocument? {
        let content = read(place)
        placed[place] = nil
        fuzzWorld.tell(.opened, .read, of: place)
        fuzzWorld.ledger.show(world.read(place), at: place)
        if let content { memory[place] = content }
        return content
    }

    private func speaks(_ place: Location) -> Int { place.root == .app ? versions.app : versions.group }

    // MARK: Saving

    /// What the program saves next, and the id of what is new in it; no id for a field that it takes away.
    func nextContent(_ place: Location) -> (content: TestDocument, id: Int?) {
        let isBlind = faultProfile.isStale && memory[place] != nil && random.coin()
        let known = isBlind ? memory[place] : remember(place)
        var content = known ?? memory[place] ?? blank(place)
        if content.version != nil { content.version = speaks(place) }
        if faultProfile.hasRules, ruling.coin() { return nextRuled(content, place) }
        var keys = ["limit", "month", "k0", "k1"]
        if content.version == 2 { keys.append(TestDocument.newestOnly) }
        let key = random.pick(keys)
        if random.isOne(in: 6), content.remove(key) { return (content, nil) }
        let id = fuzzWorld.ledger.newId()
        content.set(key, to: id)
        return (content, id)
    }

    private func blank(_ place: Location) -> TestDocument {
        guard isVersioned(place) else { return TestDocument(version: nil) }
        return TestDocument(version: speaks(place), fields: [TestDocument.Field(key: "spent", value: "5")])
    }

    func edit(_ place: Location) {
        let (content, id) = nextContent(place)
        var bytes = content.bytes(random.pick(faultProfile.respells ? Spelling.allCases : [.tight]))
        if faultProfile.savesTooMuch, bounds.isOne(in: 12) {
            bytes.insert(
                contentsOf: Array(repeating: UInt8(ascii: " "), count: FaultProfile.mostBytes),
                at: 1
            )
            fuzzWorld.trace.remark("too large")
        }
        makeDirectories(above: place)
        if faultProfile.holdsOpen, random.isOne(in: 3) {
            startSlowly(place, bytes, content, id)
            return
        }
        let old = world.read(place)
        let isInPlace = faultProfile.overwrites && random.coin()
        guard isInPlace ? world.overwrite(place, bytes) : world.save(place, bytes) else { return }
        fuzzWorld.trace.record(isInPlace ? "overwrites" : "saves", place.description, id ?? 0)
        fuzzWorld.trace.remark("    " + String(decoding: bytes, as: UTF8.self))
        if isInPlace {
            fuzzWorld.tell(.opened, .written, .closed, of: place)
        } else {
            fuzzWorld.tell(.saved, of: place)
        }
        saved(place, over: old, bytes, content, id)
    }

    func saved(_ place: Location, over old: [UInt8]?, _ bytes: [UInt8], _ content: TestDocument, _ id: Int?) {
        fuzzWorld.ledger.replaced(old, by: bytes, at: faultProfile.keepsUnseen ? place : nil)
        // What it had in memory it takes away knowingly, wherever that is.
        fuzzWorld.ledger.replaced(memory[place]?.bytes(.tight), by: bytes)
        fuzzWorld.ledger.replaced(placed.removeValue(forKey: place), by: bytes)
        fuzzWorld.ledger.show(bytes, at: place)
        fuzzWorld.ledger.changed(content, from: memory[place], at: place)
        if let id { fuzzWorld.ledger.acknowledge(id, at: place) }
        fuzzWorld.report.edits += 1
        memory[place] = content
        spoken[place] = content.version
        happened(at: place)
    }

    /// A name's content changed: synced where programs sync, seen by the watcher.
    func happened(at place: Location) {
        fuzzWorld.strayTime(of: place)
        if faultProfile.cutsPower { world.sync(place) }
        fuzzWorld.sample(place)
        fuzzWorld.watch.add(place, at: fuzzWorld.uptime)
    }

    private func respell(_ place: Location) {
        guard let old = world.read(place), let content = TestDocument(old, isVersioned: isVersioned(place))
        else {
            return
        }
        let bytes = content.bytes(random.pick(Spelling.allCases))
        guard world.save(place, bytes) else { return }
        placed[place] = nil
        fuzzWorld.tell(.opened, .read, .saved, of: place)
        fuzzWorld.ledger.show(old, at: place)
        fuzzWorld.trace.record("respells", place.description)
        happened(at: place)
    }

    func makeDirectories(above place: Location) {
        guard let directory = place.path.directory else { return }
        let above = Location(place.root, directory)
        makeDirectories(above: above)
        if world.makeDirectory(above), faultProfile.cutsPower { world.sync(above) }
    }
}
