import Model
import Replica
import StateStore

extension Engine {
    private static func markKey(_ side: Side) -> String { "container.\(side.rawValue)" }

    static func knownMarks(_ journal: any Journal) throws(JournalError) -> BothSides<String?> {
        var marks = BothSides<String?>(app: nil, group: nil)
        for side in Side.allCases {
            let mark = try journal.value(of: markKey(side))
            marks[side] = mark == "" ? nil : mark
        }
        return marks
    }

    /// Why what stands at a container's path is not the container. What is missing from it is no deletion.
    func loss(of side: Side) -> Halt? { Halt(side, containers[side].standing(of: replicas[side])) }

    /// After a look at everything: the next one goes on with a container that came back as another directory.
    /// Those that have no mark yet are marked.
    mutating func recognizeContainers() {
        for side in Side.allCases {
            if halt?.isUnreachable != true {
                if containers[side].mark == nil { mark(side) }
            } else if containers[side].standing(of: replicas[side]) == .returned {
                try? replicas[side].reopen()
            }
        }
    }

    private mutating func mark(_ side: Side) {
        if containers[side].isUnmarked(replicas[side]) {
            replicas[side].bear("\(journal.instance)-\(nextNumber())")
        }
        guard let mark = containers[side].read(of: replicas[side]) else { return }
        // With the next look, then: the container bears its mark already.
        do { try journal.record([.value(mark, key: Self.markKey(side))]) } catch { return }
        containers[side].keep()
    }

    /// A person says that the stranger is the container from now on. What is missing from it was not deleted
    /// there: it is brought back.
    mutating func takeStranger(on side: Side) throws(DecisionFailure) {
        do { try replicas[side].reopen() } catch { throw .file(error) }
        let gone = records.keys.filter { isMissing(Location(side, $0)) }.sorted()
        let entries =
            replicas[side].madeDirectories.map { JournalEntry.removedDirectory(side, $0) }
            + gone.compactMap { path in
                records[path].map { .gone(path, generation: $0.generation) }
            }
            + [.value("", key: Self.markKey(side))]
        do { try journal.record(entries) } catch { throw .journal(error) }
        for path in gone { records[path] = nil }
        lossGuard.accept(side, without: gone)
        replicas[side].forgetDirectories()
        containers[side].forget()
        scanner.want()
    }

    func isMissing(_ document: Location) -> Bool {
        do throws(FileError) { _ = try status(of: document) } catch .missing { return true } catch {}
        return false
    }
}

extension Halt {
    /// `nil` where the container stands there.
    fileprivate init?(_ side: Side, _ standing: ReplicaStanding) {
        let reason: Reason
        switch standing {
        case .same: return nil
        case .returned: reason = .returned
        case .other: reason = .isOther
        case .stranger(let words): reason = .replaced(by: words)
        case .unmarked(let words): reason = .unmarked(words)
        case .gone: reason = .gone
        case .unreachable(let error): reason = .unreachable(error)
        }
        self.init(side: side, reason: reason)
    }
}
