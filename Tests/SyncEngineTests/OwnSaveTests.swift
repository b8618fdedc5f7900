import Documents
import FileSystem
import FileSystemSimulation
import Model
import StateStore
import SyncEngine
import Testing

/// A program's save is displaced and merged, while the program continues with what it reads.
@Suite struct OwnSaveTests {
    private let disk = SimulatedDisk(separate: [.state])
    private let journal = FaultyJournal()

    private static let start = #"{"k":0,"m":0,"o":0}"#
    /// The other side's change, which is published here.
    private static let brought = #"{"k":0,"m":0,"o":1}"#
    /// Saved here in the meantime.
    private static let racer = #"{"k":2,"m":5,"o":0}"#
    private static let merged = #"{"k":2,"m":5,"o":1}"#
    /// Saved by the same program, which has read the published change, but not the merge.
    private static let later = #"{"k":3,"m":0,"o":1}"#
    private static let wanted = #"{"k":3,"m":5,"o":1}"#

    private func place(_ side: Side) -> Location { side == .app ? inApp("a.json") : inGroup("a.json") }
    private func save(_ text: String, _ side: Side) { disk.world.save(place(side), Array(text.utf8)) }

    private func hear(_ evidence: AccessEvent..., of side: Side, by process: LivingProcess<FaultyJournal>) {
        for one in evidence { process.engine.hear(one, of: place(side).path, on: side) }
    }

    private func expectBoth(_ text: String, _ process: LivingProcess<FaultyJournal>, conflicts: Int = 0) {
        for side in Side.allCases { #expect(disk.text(place(side)) == text, "\(side)") }
        #expect(process.engine.counters.conflicts == conflicts)
    }

    /// The other side saves `brought`; each of `saves` happens directly before a file gets the document's
    /// name on this side.
    private func raced(
        on side: Side,
        by saves: [String],
        brought: String = brought,
        isStateFull: Bool = false
    ) throws -> LivingProcess<FaultyJournal> {
        save(Self.start, .app)
        let process = try LivingProcess(disk, journal)
        process.engine.tracksAccess = true
        process.live()
        var saves = saves
        disk.meanwhile = { [disk] call, found in
            let place = self.place(side)
            guard call == .rename, found?.root == place.root, !saves.isEmpty else { return }
            disk.world.save(place, Array(saves.removeFirst().utf8))
        }
        if isStateFull { fillState() }
        save(brought, side.other)
        process.engine.markDirty(place(side.other).path)
        return process
    }

    private func fillState() {
        journal.failsToWrite = { _ in true }
        disk.fail = { call, place in
            guard place?.root == .state else { return nil }
            switch call {
            case .create, .link, .makeDirectory: return .error(28)
            case .write: return .short(0, 28)
            default: return nil
            }
        }
    }

    private func emptyState() {
        journal.failsToWrite = { _ in false }
        disk.fail = { _, _ in nil }
    }

    private static let cases = Side.allCases.flatMap { side in [false, true].map { (side, $0) } }

    @Test(arguments: cases)
    func `a program's save after an unread merge replaces what it saved before`(
        side: Side,
        isStateFull: Bool
    ) throws {
        let process = try raced(on: side, by: [Self.racer], isStateFull: isStateFull)
        process.proceed(for: .zero)
        #expect(disk.text(place(side)) == Self.merged)
        save(Self.later, side)
        hear(.saved, .published, .opened, .read, .published, .saved, of: side, by: process)
        process.proceed(hearingOf: place(side))
        for side in Side.allCases { #expect(disk.text(place(side)) == Self.wanted) }
        emptyState()
        process.proceed(for: .seconds(60))
        expectBoth(Self.wanted, process)
    }

    @Test(arguments: cases)
    func `it does so even if the merge replaced that save`(side: Side, isStateFull: Bool) throws {
        let process = try raced(on: side, by: [Self.racer, Self.later], isStateFull: isStateFull)
        process.proceed(for: .milliseconds(100))
        #expect(process.engine.hasQuestions)
        process.engine.asked(1, at: process.now)
        hear(.saved, .published, .opened, .read, .saved, .published, of: side, by: process)
        process.engine.answered(1, at: process.now)
        process.proceed()
        emptyState()
        process.proceed(for: .seconds(60))
        expectBoth(Self.wanted, process)
    }

    /// As if a program had it open, or the disk had no room.
    @Test(arguments: cases)
    func `an earlier save that is merged late does not replace a later one`(
        side: Side,
        isHeard: Bool
    ) throws {
        let process = try raced(on: side, by: [Self.racer])
        process.engine.tracksAccess = isHeard
        failToCreate(on: side, after: 1)
        process.proceed(for: .zero)
        #expect(disk.text(place(side)) == Self.brought)
        save(Self.later, side)
        if isHeard { hear(.saved, .published, .opened, .read, .saved, of: side, by: process) }
        process.proceed(hearingOf: place(side))
        expectBoth(Self.wanted, process)
    }

    @Test(arguments: Side.allCases)
    func `a value that both sides changed is in conflict once`(side: Side) throws {
        let process = try raced(on: side, by: [Self.racer], brought: #"{"k":7,"m":0,"o":1}"#)
        process.proceed(for: .zero)
        #expect(process.engine.counters.conflicts == 1)
        save(Self.later, side)
        hear(.saved, .published, .opened, .read, .published, .saved, of: side, by: process)
        process.proceed(hearingOf: place(side))
        expectBoth(Self.wanted, process, conflicts: 1)
    }

    private func failToCreate(on side: Side, after count: Int) {
        var left = count
        disk.fail = { [self] call, found in
            guard call == .create, found?.root == place(side).root else { return nil }
            left -= 1
            return left == -1 ? .error(28) : nil
        }
    }
}

/// The merge alone.
@Suite struct OwnSaveMergeTests {
    private func text(_ x: Int, _ y: Int) -> [UInt8] { Array(#"{"x":\#(x),"y":\#(y)}"#.utf8) }

    private func merged(
        base: [UInt8],
        save: [UInt8],
        of side: Side,
        onTopOf current: [UInt8],
        _ others: OtherSaves
    ) throws -> (text: String, conflicts: [String]) {
        func json(_ bytes: [UInt8]) throws -> JSON { try JSON(parsing: bytes, limits: JSONLimits()) }
        let merge = try Rules.plain.merge(
            base: try json(base),
            save: try json(save),
            of: side,
            onTopOf: try json(current),
            others
        )
        return (String(decoding: merge.result.bytes, as: UTF8.self), merge.conflicts.map(\.pointer))
    }

    @Test(arguments: Side.allCases)
    func `of one program's changes the later one wins, whichever is merged last`(side: Side) throws {
        let (start, first, second) = (text(0, 0), text(1, 1), text(2, 0))
        let earlier = OtherSaves(earlier: [OwnSave(base: start, bytes: first)])
        let one = try merged(base: start, save: second, of: side, onTopOf: first, earlier)
        #expect(one == (#"{"x":2,"y":1}"#, []))
        let later = OtherSaves(later: [OwnSave(base: start, bytes: second)])
        let other = try merged(base: start, save: first, of: side, onTopOf: second, later)
        #expect(other == (#"{"x":2,"y":1}"#, []))
    }

    @Test(arguments: Side.allCases)
    func `changes of different programs stay in conflict`(side: Side) throws {
        let start = text(0, 0)
        let earlier = OtherSaves(earlier: [OwnSave(base: start, bytes: text(1, 0))])
        let one = try merged(base: start, save: text(2, 2), of: side, onTopOf: text(1, 7), earlier)
        #expect(one.conflicts == ["/y"])
        #expect(one.text == (side == .app ? #"{"x":2,"y":2}"# : #"{"x":2,"y":7}"#))
        let later = OtherSaves(later: [OwnSave(base: start, bytes: text(2, 0))])
        let other = try merged(base: start, save: text(1, 2), of: side, onTopOf: text(2, 7), later)
        #expect(other.conflicts == ["/y"])
        #expect(other.text == (side == .app ? #"{"x":2,"y":2}"# : #"{"x":2,"y":7}"#))
    }

    /// The merged save is known to the program.
    @Test func `a known save changes nothing`() throws {
        let (start, first) = (text(0, 0), text(1, 0))
        let earlier = OtherSaves(earlier: [OwnSave(base: start, bytes: first)])
        let one = try merged(base: first, save: text(3, 3), of: .group, onTopOf: text(1, 7), earlier)
        #expect(one == (#"{"x":3,"y":7}"#, ["/y"]))
    }
}
