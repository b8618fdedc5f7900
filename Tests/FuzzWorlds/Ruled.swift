import FileSystem
import FileSystemSimulation
import Model
import RaceLab
import StateStore
import SyncEngine

/// Fields with merge rules.
enum Ruled {
    static let stamp = "stamp"
    static let peak = "peak"
    static let total = "total"
    static let tags = "tags"
    static let count = "tagCount"
    /// The group's value wins if both sides changed it.
    static let owned = "owned"
}

extension Workload {
    /// A program's next save of a field with a rule; without an ID if a rule may remove it.
    func nextRuled(_ known: TestDocument, _ place: Location) -> (content: TestDocument, id: Int?) {
        var content = known
        let id = fuzzWorld.ledger.newId()
        content.set(Ruled.stamp, toText: "\(id)")
        switch ruling.below(6) {
        case 0:
            content.set(Ruled.owned, to: id)
            return (content, place.root == .group ? id : nil)
        case 1:
            content.set(Ruled.peak, toText: "\(ruling.below(1_000))")
        case 2:
            let number = 1 + ruling.below(9)
            content.set(Ruled.total, toText: "\(content.number(Ruled.total) + number)")
            totals[place.path, default: 0] += number
        case 3:
            var tags = content.tags
            if !tags.isEmpty { tags.remove(at: ruling.below(tags.count)) }
            content.set(tags)
        default:
            content.set(content.tags + ["\"i\(id)\""])
            return (content, id)
        }
        return (content, nil)
    }
}

extension TestDocument {
    /// In the order of the list.
    fileprivate var tags: [String] {
        let text = (text(of: Ruled.tags) ?? "[]").dropFirst().dropLast()
        return text.split(separator: ",").map(String.init)
    }

    fileprivate func number(_ key: String) -> Int { text(of: key).flatMap { Int($0) } ?? 0 }

    /// Sets the tags with the fields derived from them, as every program does.
    fileprivate mutating func set(_ tags: [String]) {
        set(Ruled.tags, toText: "[\(tags.joined(separator: ","))]")
        set(Ruled.count, toText: "\(tags.count)")
    }

    fileprivate var isDerived: Bool {
        guard text(of: Ruled.tags) != nil, text(of: Ruled.count) != nil else { return true }
        return number(Ruled.count) == tags.count
    }
}

extension Simulation {
    /// Checks that derived fields are correct, and that sums add up unless something prevented that.
    func judgeRules() throws(Violation) {
        guard faultProfile.hasRules else { return }
        // Rules that need no base and always decide.
        let decided = [Ruled.stamp, Ruled.peak].map { "/\($0)" }
        for conflict in (try? engine?.conflicts()) ?? [] {
            let field = conflict.fields.first { decided.contains($0.pointer) }
            if let field { throw .undecided(conflict.document ?? "", field.pointer) }
        }
        for side in Side.allCases {
            for path in faultProfile.names {
                let place = Location(side, path)
                guard engine?.row(path)?.state != .held, let bytes = fuzzWorld.disk.world.read(place),
                    let content = TestDocument(bytes, isVersioned: false)
                else { continue }
                if !content.isDerived { throw .underived(place) }
                let (sum, expected) = (content.number(Ruled.total), programs.totals[path] ?? 0)
                if addsUp, sum != expected { throw .miscounted(path, sum, of: expected) }
            }
        }
    }

    /// Whether no program removed a sum or saved over unread content, and no run ended halfway.
    private var addsUp: Bool {
        faultProfile.addsUp && fuzzWorld.report.crashes == 0 && fuzzWorld.report.faults == 0
            && fuzzWorld.report.conflicts + (engine?.counters.conflicts ?? 0) == 0
    }
}

extension FaultProfile {
    fileprivate var addsUp: Bool {
        !(isStale || holdsOpen || tears || deletes || moves || takesDirectories || swapsKinds)
            && canExchange && commit == .exchange && canRenameExclusively
    }
}
