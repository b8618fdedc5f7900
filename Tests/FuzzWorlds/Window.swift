import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import StateStore
import SyncEngine

/// The edits lost between the check and the rename on a file system without an exchange, and no others.
/// `status` warns of these, so their loss is allowed.
struct Window {
    /// Files that lost their last name to a rename of the engine.
    private(set) var files: Set<Int> = []
    /// The names that programs have moved an edit away from.
    private var left: [Side: [Int: Set<RelativePath>]] = [:]

    mutating func lose(_ file: Int) { files.insert(file) }

    /// Records that a program renamed a document.
    mutating func move(_ ids: Set<Int>, from old: Location, to new: Location) {
        guard let side = old.side else { return }
        for id in ids {
            left[side, default: [:]][id, default: []].insert(old.path)
            left[side]?[id]?.remove(new.path)
        }
    }

    /// Whether it will disappear there as well, because its program has moved it away from that name.
    func isLeft(_ id: Int, at path: RelativePath, by side: Side) -> Bool {
        left[side]?[id]?.contains(path) ?? false
    }
}

typealias Standing = SimulatedDisk.World.Standing

extension FuzzWorld {
    /// Only then the engine renames over a document.
    private var hasWindow: Bool {
        !faultProfile.canExchange || !faultProfile.canRenameExclusively || faultProfile.commit == .rename
    }

    /// Records that the engine's rename replaced `before`.
    func replaced(_ place: Location, _ before: Standing?) {
        guard hasWindow else { return broken(.destroyed(place)) }
        // A checked file has a second name, under which it goes to the trash.
        guard let before, before.names == 1, disk.world.standing(at: place)?.file != before.file,
            let side = place.side
        else { return }
        window.lose(before.file)
        let isKept = disk.world.files(place.root).contains { isOurs($0.path) && $0.bytes == before.bytes }
        if !isKept { lostInWindow(Ids.found(in: before.bytes).filter { !isElsewhere($0, than: side) }) }
    }

    /// A program had the file open when it was replaced, and was told that its save is there.
    func finished(_ id: Int, in pen: SimulatedDisk.World.Pen) {
        if pen.isNameless, window.files.contains(pen.file) { lostInWindow([id]) }
    }

    private func lostInWindow(_ ids: Set<Int>) {
        report.windowLosses += ids.count
        ledger.authorise(ids)
    }

    /// A name on the other side that its program has moved it away from does not count.
    private func isElsewhere(_ id: Int, than side: Side) -> Bool {
        for one in Side.allCases {
            for file in disk.world.files(Root(one)) where isDocument(file.path) {
                if one != side, window.isLeft(id, at: file.path, by: side) { continue }
                if Ids.found(in: file.bytes).contains(id) { return true }
            }
        }
        return ids(in: Trash.conflicts).contains(id)
    }
}
