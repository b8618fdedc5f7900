import DirectoryReplica
import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import SyncEngine

extension Workload {
    func delete(_ place: Location) {
        guard let old = world.read(place), world.delete(place) else { return }
        fuzzWorld.trace.record("deletes", place.description)
        fuzzWorld.tell(.gone, of: place)
        gone(place, old)
    }

    /// A program that deletes a document means all of it, including what only the newer version can
    /// represent.
    private func gone(_ place: Location, _ old: [UInt8]) {
        fuzzWorld.ledger.replaced(old, by: nil)
        if isVersioned(place) {
            let twin = Location(place.root == .app ? Root.group : .app, place.path)
            let other = world.read(twin).flatMap { TestDocument($0, isVersioned: true) }
            fuzzWorld.ledger.authorise(other?.ids(of: TestDocument.newestOnly) ?? [])
        }
        (memory[place], placed[place]) = (nil, nil)
        for side in Side.allCases { spoken[Location(side, place.path)] = nil }
        happened(at: place)
    }

    func move(_ place: Location) {
        let target = Location(place.root, random.pick(faultProfile.names))
        guard target != place, isVersioned(target) == isVersioned(place),
            !pens.contains(where: { $0.place == target }), world.read(place) != nil
        else { return }
        makeDirectories(above: target)
        let old = world.read(target)
        guard world.rename(place, to: target) else { return }
        recordMove(from: place, to: target)
        fuzzWorld.trace.record("moves", "\(place) to \(target.path)")
        fuzzWorld.tell(.gone, of: place)
        fuzzWorld.tell(.saved, of: target)
        fuzzWorld.ledger.replaced(old, by: world.read(target))
        // As with any other save, this includes what it had in memory.
        fuzzWorld.ledger.replaced(memory[target]?.bytes(.tight), by: world.read(target))
        fuzzWorld.ledger.replaced(placed[target], by: world.read(target))
        // And its values replace the program's own, also those of a save that the bridge has displaced.
        if let content = read(target) {
            fuzzWorld.ledger.changed(content, from: memory[target], at: target)
        }
        memory[place] = nil
        (placed[place], placed[target]) = (nil, world.read(target))
        happened(at: place)
        happened(at: target)
    }

    /// Renames to a free name. `isToldLater`: the watcher reports the old name after the new one.
    func rename(_ place: Location, to target: Location, isToldLater: Bool) {
        makeDirectories(above: target)
        guard world.rename(place, to: target) else { return }
        recordMove(from: place, to: target)
        fuzzWorld.trace.record("moves", "\(place) to \(target.path)")
        fuzzWorld.tell(.gone, of: place)
        fuzzWorld.tell(.saved, of: target)
        for one in isToldLater ? [target, place] : [place, target] { happened(at: one) }
    }

    private func recordMove(from old: Location, to new: Location) {
        fuzzWorld.window.move(world.read(new).map { Ids.found(in: $0) } ?? [], from: old, to: new)
    }

    /// The bridge's own files move with it.
    func moveFolder(of place: Location) {
        let root = place.root
        guard let (from, to) = folderNames(place) else { return }
        func files(in folder: RelativePath) -> [RelativePath] {
            world.files(root).map(\.path).filter { $0.isInside(folder) }
        }
        let moved = files(in: from)
        guard !moved.isEmpty, files(in: to).isEmpty,
            !pens.contains(where: { $0.place.root == root && $0.place.path.directory != nil }),
            world.rename(Location(root, from), to: Location(root, to))
        else { return }
        fuzzWorld.trace.record("moves", "\(root):\(from) to \(to)")
        for old in moved where isDocument(old) {
            guard let new = RelativePath("\(to)\(old.description.dropFirst(from.description.count))") else {
                continue
            }
            let (gone, come) = (Location(root, old), Location(root, new))
            recordMove(from: gone, to: come)
            memory[come] = memory.removeValue(forKey: gone)
            (placed[gone], placed[come]) = (nil, world.read(come))
            fuzzWorld.tell(.gone, of: gone)
            fuzzWorld.tell(.saved, of: come)
            happened(at: gone)
            happened(at: come)
        }
        if faultProfile.followsFolders { follow(place, to: to) }
    }

    private func folderNames(_ place: Location) -> (from: RelativePath, to: RelativePath)? {
        let from = faultProfile.followsFolders ? place.path.directory : random.pick(faultProfile.folders)
        guard let from else { return nil }
        let others = faultProfile.folders.filter { $0 != from }
        return (from, others.count == 1 ? others[0] : random.pick(others))
    }

    /// After a rename of the directory, something may be saved in it at once.
    private func follow(_ place: Location, to folder: RelativePath) {
        guard let side = place.side else { return }
        folders[side] = folder
        guard random.coin(), let path = RelativePath.child(of: folder, place.path.name) else { return }
        edit(Location(place.root, path))
    }

    /// Where a program looks for a document: usually under the newest name of its directory.
    func current(_ place: Location) -> Location {
        guard faultProfile.followsFolders, let side = place.side, let folder = folders[side],
            !random.isOne(in: 6), let path = RelativePath.child(of: folder, place.path.name)
        else { return place }
        return Location(place.root, path)
    }

    /// `rm -r`, which also removes the bridge's own files.
    func takeDirectory(of place: Location) {
        guard let directory = place.path.directory else { return }
        guard !pens.contains(where: { $0.place.root == place.root && $0.place.path.isInside(directory) })
        else {
            return
        }
        let files = world.files(place.root).filter { $0.path.isInside(directory) }
        for file in files {
            let one = Location(place.root, file.path)
            guard world.delete(one) else { continue }
            fuzzWorld.trace.record("deletes", one.description)
            fuzzWorld.tell(.gone, of: one)
            if isDocument(file.path) {
                gone(one, file.bytes)
            } else {
                fuzzWorld.ledger.replaced(file.bytes, by: nil)
            }
        }
        if let inner = RelativePath("d/e") { world.delete(Location(place.root, inner)) }
        world.delete(Location(place.root, directory))
        fuzzWorld.trace.record("removes", "\(place.root) \(directory)")
    }

    /// A document becomes something else, or the reverse.
    func swapKind(of place: Location) {
        if world.read(place) != nil {
            delete(place)
            let isMade = random.coin() ? world.makeDirectory(place) : world.makeSymbolicLink(place)
            if isMade { fuzzWorld.trace.record("puts something else at", place.description) }
        } else {
            guard world.delete(place) else { return }
            fuzzWorld.trace.record("takes away what stood at", place.description)
        }
        happened(at: place)
    }
}

// MARK: - Saving slowly

/// A save in several steps, by a program that has the file open meanwhile.
struct SlowSave {
    enum Step { case opened, truncated, half }

    var place: Location
    let pen: SimulatedDisk.World.Pen
    let old: [UInt8]
    let bytes: [UInt8]
    let content: TestDocument
    let id: Int?
    /// The program will die halfway.
    let isDoomed: Bool
    let due: Duration
    var step = Step.opened
}

extension Workload {
    func startSlowly(_ place: Location, _ bytes: [UInt8], _ content: TestDocument, _ id: Int?) {
        let isNew = world.read(place) == nil
        guard let pen = world.open(place) else { return }
        fuzzWorld.trace.record("opens", place.description, id ?? 0)
        fuzzWorld.tell(.opened, of: place)
        pens.append(
            SlowSave(
                place: place,
                pen: pen,
                old: world.read(place) ?? [],
                bytes: bytes,
                content: content,
                id: id,
                isDoomed: faultProfile.tears && random.isOne(in: 4),
                due: fuzzWorld.uptime + .seconds(1)
            )
        )
        if isNew {
            fuzzWorld.leftHalf([], at: place)
            happened(at: place)
        }
    }

    /// Does the next step of a save.
    func advance(_ number: Int) {
        var save = pens[number]
        // A change of a displaced file is reported under another name.
        let isHere = world.isHeld(save.place, by: save.pen)
        let middle = save.bytes.count / 2
        switch save.step {
        case .opened:
            save.pen.truncate()
            save.step = .truncated
            pens[number] = save
            if isHere { fuzzWorld.tell(.written, of: save.place) }
            fuzzWorld.trace.record("truncates", save.place.description)
        case .truncated:
            save.pen.write(Array(save.bytes[..<middle]))
            save.step = .half
            pens[number] = save
            if isHere { fuzzWorld.tell(.written, of: save.place) }
            fuzzWorld.trace.record("writes half of", save.place.description)
        case .half:
            if isHere { fuzzWorld.tell(.written, .closed, of: save.place) }
            finish(save, rest: Array(save.bytes[middle...]))
            pens.remove(at: number)
            return
        }
        fuzzWorld.leftHalf(save.step == .truncated ? [] : Array(save.bytes[..<middle]), at: save.place)
        happened(at: save.place)
    }

    private func finish(_ save: SlowSave, rest: [UInt8]) {
        if save.isDoomed {
            fuzzWorld.letGo(save.pen)
            fuzzWorld.trace.record("dies half way in", save.place.description)
            fuzzWorld.ledger.replaced(save.old, by: nil)
            happened(at: save.place)
        } else {
            save.pen.write(rest)
            fuzzWorld.letGo(save.pen)
            fuzzWorld.trace.record("closes", save.place.description, save.id ?? 0)
            fuzzWorld.trace.remark("    " + String(decoding: save.bytes, as: UTF8.self))
            saved(save.place, over: save.old, save.bytes, save.content, save.id)
            if let id = save.id { fuzzWorld.finished(id, in: save.pen) }
        }
    }

    /// If open files cannot be detected, the bridge waits for a fixed time.
    func hurry() {
        guard !faultProfile.canTellWriters else { return }
        while let number = pens.firstIndex(where: { $0.due <= fuzzWorld.uptime }) { advance(number) }
    }

    func finishAll() { while !pens.isEmpty { advance(0) } }

    /// A power cut ends the programs as well.
    func die() {
        for save in pens where save.step != .opened {
            fuzzWorld.ledger.replaced(save.old, by: nil)
            fuzzWorld.leftHalf([], at: save.place)
        }
        pens = []
        holders = []
        (memory, placed) = ([:], [:])
    }
}
