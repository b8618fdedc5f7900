import Documents
import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import StateStore
import SyncEngine

// MARK: - Is it still listening?

extension Simulation {
    /// Checks that changes by programs are still synced, and recognized correctly.
    func probe() throws(Violation) {
        try probeEdits()
        // From here on hints are delivered at once, because a late one may be mistaken for another change.
        fuzzWorld.watch.isPrompt = true
        try saveProbes()
        try probeConflicts()
        try probeMoves()
        try probeLoss()
    }

    /// An ordinary edit and an ordinary deletion, in both directions.
    private func probeEdits() throws(Violation) {
        for (side, path) in zip([Side.app, .group], faultProfile.names + faultProfile.names) {
            guard engine?.row(path)?.state != .held else { continue }
            let place = Location(side, path)
            let twin = Location(side.other, path)
            programs.makeDirectories(above: place)
            let (content, id) = programs.nextContent(place)
            guard let id, fuzzWorld.disk.world.save(place, content.bytes(.tight)) else { continue }
            fuzzWorld.trace.record("probes", place.description, id)
            programs.happened(at: place)
            try rest()
            // The other side may have an entry that is not a file.
            if engine?.row(path)?.state == .held { continue }
            let isV2Only = content.ids(of: TestDocument.newestOnly).contains(id)
            let arrived = Ids.found(in: fuzzWorld.disk.world.read(twin) ?? [])
            if !isV2Only, !arrived.contains(id) { throw .deaf(path, "an edit in \(side) did not cross") }
            guard fuzzWorld.disk.world.delete(twin) else { continue }
            fuzzWorld.trace.record("deletes", twin.description)
            programs.happened(at: twin)
            try rest()
            if fuzzWorld.disk.world.read(place) != nil {
                throw .deaf(path, "a deletion in \(side.other) did not cross")
            }
        }
    }
}

// MARK: - Does it still know what it sees?

extension Simulation {
    private var probes: [RelativePath] { (0..<3).compactMap { RelativePath("probe/\($0).json") } }

    /// Saves documents and changes each once, so that their generation is 2.
    private func saveProbes() throws(Violation) {
        for _ in 0..<2 {
            for path in probes {
                let id = fuzzWorld.ledger.newId()
                save(["limit": id], at: Location(Side.app, path))
                try rest()
                let arrived = Ids.found(in: fuzzWorld.disk.world.read(Location(Side.group, path)) ?? [])
                if !arrived.contains(id) { throw .deaf(path, "an edit in app did not cross") }
            }
        }
    }

    /// Saves as a program that has read the current content.
    private func save(_ ids: KeyValuePairs<String, Int>, at place: Location) {
        programs.makeDirectories(above: place)
        var content = TestDocument(version: nil)
        for (key, id) in ids { content.set(key, to: id) }
        guard fuzzWorld.disk.world.save(place, content.bytes(.tight)) else { return }
        fuzzWorld.trace.record("probes", place.description)
        fuzzWorld.tell(.opened, .read, .saved, of: place)
        programs.happened(at: place)
    }

    /// Several documents lose conflicts with the same bytes: a person can resolve each of them.
    private func probeConflicts() throws(Violation) {
        let lost = fuzzWorld.ledger.newId()
        for path in probes {
            save(["limit": fuzzWorld.ledger.newId()], at: Location(Side.app, path))
            save(["limit": lost], at: Location(Side.group, path))
        }
        try rest()
        let conflicts = ((try? engine?.conflicts()) ?? []).filter { $0.side == .group }
        let known = Set(conflicts.map(\.document))
        for path in probes where !known.contains(path.description) { throw .undecidable(path) }
    }

    /// Renames all documents of one side except one, which is deleted: that is no loss of all documents,
    /// and the other side's are renamed as well.
    private func probeMoves() throws(Violation) {
        // Documents that programs deleted shortly before would count as part of the same loss.
        fuzzWorld.pass(RecentDeletions.span)
        try rest()
        let side: Side = seed.isMultiple(of: 2) ? .app : .group
        let gone = probes.last.map { Location(side, $0) }
        let moved = fuzzWorld.disk.world.files(Root(side)).map(\.path)
            .filter { $0 != gone?.path && isMovable($0) }
        let generations = moved.map { engine?.row($0)?.generation ?? 0 }
        let targets = moved.map { RelativePath("moved/\($0)") ?? $0 }
        for (old, new) in zip(moved, targets) {
            programs.rename(Location(side, old), to: Location(side, new), isToldLater: seed % 4 < 2)
        }
        if let gone { programs.delete(gone) }
        person = .isNotAsked
        try rest()
        person = .allows
        try judgeAgreement()
        for (place, generation) in generations.enumerated() {
            try judgeMove(from: moved[place], to: targets[place], on: side, after: generation)
        }
    }

    /// A document with versions is recognized by its name, so it cannot be renamed.
    private func isMovable(_ path: RelativePath) -> Bool {
        isDocument(path) && engine?.row(path)?.state == .synced && engine?.document(ofView: path) == nil
            && engine?.rule(for: path).versionNumbers.isEmpty == true
    }

    private func judgeMove(
        from old: RelativePath,
        to new: RelativePath,
        on side: Side,
        after generation: Int64
    ) throws(Violation) {
        let world = fuzzWorld.disk.world
        let isThere = Side.allCases.allSatisfy { world.read(Location($0, new)) != nil }
        guard isThere, world.read(Location(side.other, old)) == nil else {
            throw .deaf(new, "a move in \(side) did not cross")
        }
        // On other file systems it is a new document.
        guard faultProfile.canRenameExclusively else { return }
        let what = engine.flatMap { try? $0.journal.events(of: new).last?.what }
        guard case .movedFrom = what else {
            throw .deaf(new, "moved in \(side), and taken for something else: \(what?.text ?? "")")
        }
        // Other documents may have the same content.
        guard probes.contains(old), engine?.row(new)?.generation != generation + 1 else { return }
        throw .deaf(new, "moved in \(side), and its generation does not go on")
    }

    /// Empties a container: the documents must not count as deleted until a person allows it.
    private func probeLoss() throws(Violation) {
        guard let rows = engine?.rows(), rows.count > 1, rows.allSatisfy({ $0.state == .synced }) else {
            return
        }
        let side: Side = seed.isMultiple(of: 2) ? .group : .app
        let gone = fuzzWorld.disk.world.files(Root(side)).map(\.path).filter { engine?.row($0) != nil }
        for path in gone { programs.delete(Location(side, path)) }
        person = .isAway
        for _ in 0..<100 {
            try live()
            try fuzzWorld.throwViolation()
            fuzzWorld.pass(.milliseconds(50))
        }
        for path in gone where fuzzWorld.disk.world.read(Location(side.other, path)) == nil {
            throw .believed(lost: gone.count)
        }
        person = .allows
        try rest()
        for path in gone where fuzzWorld.disk.world.read(Location(side.other, path)) != nil {
            throw .deaf(path, "a deletion in \(side) that was allowed did not cross")
        }
    }
}

/// Who handles a halt at the end of a world.
enum Person {
    /// Allows it at once.
    case allows
    case isAway
    /// There must be no halt.
    case isNotAsked
}
