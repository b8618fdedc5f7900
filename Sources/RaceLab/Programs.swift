import FileSystemSimulation
import Reconciliation
import Storage

/// The programs of both sides: they save, delete and rename as programs do, and nobody asks the bridge.
///
/// The writers of one side take turns at a document by a lock of their own, as one app does.
final class Programs {
    let scene: Scene
    let troubles: Troubles
    var chance: Chance
    var versions: BothSides<Int>
    /// What a program holds in memory of a document: as it last read or saved it.
    var memory: [Location: Content] = [:]
    /// What a program gave a name by renaming, until it looks there again: it need not have read that. The
    /// bridge may have put something else there since, as with what a program has in memory.
    var placed: [Location: [UInt8]] = [:]
    var pens: [SlowSave] = []
    var holders: [Holder] = []
    /// Who holds nothing until then.
    var absences: [Location: Duration] = [:]
    var holding: Chance
    private var bounds: Chance
    /// Of what is saved that merge rules decide.
    var ruling: Chance
    /// What programs have added to the sum of each document.
    var totals: [RelativePath: Int] = [:]
    /// What each side's programs call the folder of the documents now, where they follow it.
    var folders = BothSides<RelativePath?>(app: nil, group: nil)
    /// The version that a program saved a document in last, since that was created.
    var spoken: [Location: Int] = [:]

    init(_ scene: Scene, seed: UInt64) {
        self.scene = scene
        troubles = scene.troubles
        chance = Chance(seed: seed, .workload)
        holding = Chance(seed: seed, .holders)
        ruling = Chance(seed: seed, .rules)
        bounds = Chance(seed: ~seed, .bounds)
        versions = troubles.editsProfile ? BothSides(app: 1, group: 1) : troubles.versions
        scene.follow = { [unowned self] place, target in
            for number in pens.indices where pens[number].place == place { pens[number].place = target }
        }
    }

    var world: SimulatedDisk.World { scene.disk.world }

    /// Somebody does something.
    func act() {
        scene.pass(.microseconds(20))
        if let pair = troubles.pair, holding.isOne(in: 3) { return hold(pair) }
        if !pens.isEmpty, chance.coin() {
            advance(chance.below(pens.count))
            return
        }
        let side = chance.coin() ? Side.app : Side.group
        let place = current(Location(troubles.loneWriter ?? side, chance.pick(troubles.names)))
        guard !pens.contains(where: { $0.place == place }) else { return }
        if troubles.movesFolders, chance.isOne(in: 12) { return moveFolder(of: place) }
        switch chance.below(12) {
        case 0 where troubles.deletes: delete(place)
        case 1 where troubles.moves: move(place)
        case 2 where troubles.respells: respell(place)
        case 3 where troubles.takesDirectories: takeDirectory(of: place)
        case 4 where troubles.swapsKinds: swapKind(of: place)
        case 5 where troubles.upgrades: versions.app = 2
        case 6 where troubles.isStale: _ = remember(place)
        default: edit(place)
        }
    }

    // MARK: Reading

    func isVersioned(_ place: Location) -> Bool { troubles.isVersioned(place.path) }

    /// What the program of that side makes of what is there; `nil` if it cannot read it.
    func read(_ place: Location) -> Content? {
        guard let bytes = world.read(place),
            var content = Content(bytes, isVersioned: isVersioned(place))
        else { return nil }
        guard let version = content.version else { return content }
        guard version <= speaks(place) else { return nil }
        content.version = speaks(place)
        return content
    }

    private func remember(_ place: Location) -> Content? {
        let content = read(place)
        placed[place] = nil
        scene.tell(.opened, .read, of: place)
        scene.ledger.show(world.read(place), at: place)
        if let content { memory[place] = content }
        return content
    }

    private func speaks(_ place: Location) -> Int { place.root == .app ? versions.app : versions.group }

    // MARK: Saving

    /// What the program saves next, and the id of what is new in it; no id for a field that it takes away.
    func nextContent(_ place: Location) -> (content: Content, id: Int?) {
        let isBlind = troubles.isStale && memory[place] != nil && chance.coin()
        let known = isBlind ? memory[place] : remember(place)
        var content = known ?? memory[place] ?? blank(place)
        if content.version != nil { content.version = speaks(place) }
        if troubles.hasRules, ruling.coin() { return nextRuled(content, place) }
        var keys = ["limit", "month", "k0", "k1"]
        if content.version == 2 { keys.append(Content.newestOnly) }
        let key = chance.pick(keys)
        if chance.isOne(in: 6), content.remove(key) { return (content, nil) }
        let id = scene.ledger.newId()
        content.set(key, to: id)
        return (content, id)
    }

    private func blank(_ place: Location) -> Content {
        guard isVersioned(place) else { return Content(version: nil) }
        return Content(version: speaks(place), fields: [Content.Field(key: "spent", value: "5")])
    }

    func edit(_ place: Location) {
        let (content, id) = nextContent(place)
        var bytes = content.bytes(chance.pick(troubles.respells ? Spelling.allCases : [.tight]))
        if troubles.savesTooMuch, bounds.isOne(in: 12) {
            bytes.insert(contentsOf: Array(repeating: UInt8(ascii: " "), count: Troubles.mostBytes), at: 1)
            scene.trace.remark("too large")
        }
        makeDirectories(above: place)
        if troubles.holdsOpen, chance.isOne(in: 3) {
            startSlowly(place, bytes, content, id)
            return
        }
        let old = world.read(place)
        let isInPlace = troubles.overwrites && chance.coin()
        guard isInPlace ? world.overwrite(place, bytes) : world.save(place, bytes) else { return }
        scene.trace.note(isInPlace ? "overwrites" : "saves", place.description, id ?? 0)
        scene.trace.remark("    " + String(decoding: bytes, as: UTF8.self))
        if isInPlace {
            scene.tell(.opened, .written, .closed, of: place)
        } else {
            scene.tell(.saved, of: place)
        }
        saved(place, over: old, bytes, content, id)
    }

    func saved(_ place: Location, over old: [UInt8]?, _ bytes: [UInt8], _ content: Content, _ id: Int?) {
        scene.ledger.replaced(old, by: bytes, at: troubles.keepsUnseen ? place : nil)
        // What it had in memory it takes away knowingly, wherever that is.
        scene.ledger.replaced(memory[place]?.bytes(.tight), by: bytes)
        scene.ledger.replaced(placed.removeValue(forKey: place), by: bytes)
        scene.ledger.show(bytes, at: place)
        scene.ledger.changed(content, from: memory[place], at: place)
        if let id { scene.ledger.acknowledge(id, at: place) }
        scene.report.edits += 1
        memory[place] = content
        spoken[place] = content.version
        happened(at: place)
    }

    /// A name's content changed: synced where programs sync, seen by the watcher.
    func happened(at place: Location) {
        scene.strayTime(of: place)
        if troubles.cutsPower { world.sync(place) }
        scene.sample(place)
        scene.watch.note(place, at: scene.uptime)
    }

    private func respell(_ place: Location) {
        guard let old = world.read(place), let content = Content(old, isVersioned: isVersioned(place)) else {
            return
        }
        let bytes = content.bytes(chance.pick(Spelling.allCases))
        guard world.save(place, bytes) else { return }
        placed[place] = nil
        scene.tell(.opened, .read, .saved, of: place)
        scene.ledger.show(old, at: place)
        scene.trace.note("respells", place.description)
        happened(at: place)
    }

    func makeDirectories(above place: Location) {
        guard let directory = place.path.directory else { return }
        let above = Location(place.root, directory)
        makeDirectories(above: above)
        if world.makeDirectory(above), troubles.cutsPower { world.sync(above) }
    }
}
