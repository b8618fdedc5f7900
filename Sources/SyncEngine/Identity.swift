import Reconciliation
import Storage

/// Which directory a container is.
///
/// Its root bears a mark, an extended attribute with a value of its own, which is there again when the
/// container was moved to another disk, restored from a copy or mounted anew; its device and inode are not.
/// Where no mark can be made, these alone tell, and for as long as the directory is open.
extension Engine {
    static var mark: String { "widgetbridge.container" }
    private static func markKey(_ side: Side) -> String { "container.\(side.rawValue)" }

    static func knownMarks(_ journal: any Journal) throws(JournalError) -> BothSides<String?> {
        var marks = BothSides<String?>(app: nil, group: nil)
        for side in Side.allCases {
            let mark = try journal.value(of: markKey(side))
            marks[side] = mark == "" ? nil : mark
        }
        return marks
    }

    /// What stands at a container's path.
    enum Standing {
        case container
        /// The container as another directory; the one that was opened is no more.
        case returned
        /// That of the other side: one directory cannot be both.
        case other
        /// Told apart from other strangers by these words.
        case stranger(String, isOpened: Bool)
    }

    private func standing(at side: Side) throws(FileError) -> Standing {
        let root = Root(side)
        let found = try files.standing(at: root).signature
        let mark = try borneMark(at: root)
        let opened = try? files.status(of: Directory(root)).signature
        let isOpened = opened.map(found.isOf) ?? false
        if isOpened, marks[side] == nil || mark == marks[side] { return .container }
        // While the opened one is still there, this one is a copy of it.
        if isOther(found, side) { return .other }
        if opened == nil, mark != nil, mark == marks[side] { return .returned }
        return .stranger("\(found.device) \(found.inode) \(mark ?? "")", isOpened: isOpened)
    }

    private func isOther(_ found: Signature, _ side: Side) -> Bool {
        (try? files.standing(at: Root(side.other)).signature).map(found.isOf) ?? false
    }

    func borneMark(at root: Root) throws(FileError) -> String? {
        try files.attribute(Self.mark, at: root).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Why what stands at a container's path is not the container. What is missing from it is no deletion.
    func loss(of side: Side) -> Halt? {
        do throws(FileError) {
            switch try standing(at: side) {
            case .container: return nil
            case .returned: return Halt(side: side, reason: .returned)
            case .other: return Halt(side: side, reason: .isOther)
            case .stranger(let words, isOpened: true): return Halt(side: side, reason: .unmarked(words))
            case .stranger(let words, isOpened: false):
                return Halt(side: side, reason: .replaced(by: words))
            }
        } catch .noDirectory {
            return Halt(side: side, reason: .gone)
        } catch {
            return Halt(side: side, reason: .unreachable(error))
        }
    }

    /// After a look at everything: the next one goes on with a container that came back as another directory.
    /// Those that have no mark yet are marked.
    mutating func recognizeContainers() {
        for side in Side.allCases {
            if halt?.isUnreachable != true {
                if marks[side] == nil { marks[side] = makeMark(side) }
            } else if case .returned? = try? standing(at: side) {
                try? files.reopen(Root(side))
            }
        }
    }

    /// The one that it bears already, for another bridge may know it by that; else a new one. `nil` where
    /// there can be none.
    private mutating func makeMark(_ side: Side) -> String? {
        let root = Root(side)
        if (try? borneMark(at: root)) == .some(nil) {
            let mark = "\(journal.instance)-\(nextNumber())"
            try? files.addAttribute(Self.mark, to: root, Array(mark.utf8))
        }
        borne[side] = try? borneMark(at: root)
        guard let mark = borne[side] else { return nil }
        // With the next look, then: the container bears its mark already.
        do { try journal.record([.value(mark, key: Self.markKey(side))]) } catch { return nil }
        return mark
    }

    /// A person says that the stranger is the container from now on. What is missing from it was not deleted
    /// there: it is brought back.
    mutating func takeStranger(on side: Side) throws(DecisionFailure) {
        do { try files.reopen(Root(side)) } catch { throw .file(error) }
        let gone = records.keys.filter { isMissing(Location(side, $0)) }.sorted()
        let entries =
            made[side].sorted().map { JournalEntry.removedDirectory(side, $0) }
            + gone.compactMap { path in
                records[path].map { .gone(path, generation: $0.generation) }
            }
            + [.value("", key: Self.markKey(side))]
        do { try journal.record(entries) } catch { throw .journal(error) }
        for path in gone { records[path] = nil }
        lossGuard.accept(side, without: gone)
        made[side] = []
        marks[side] = nil
        borne[side] = nil
        wantsScan = true
    }

    private func isMissing(_ document: Location) -> Bool {
        do throws(FileError) { _ = try files.status(of: document) } catch .missing { return true } catch {}
        return false
    }
}
