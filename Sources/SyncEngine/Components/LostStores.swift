import Model
import Replica
import StateStore
import Stores

/// Documents whose store was missing or damaged when the bridge read it, or is a database that was created
/// since the bridge read them in it. A program that makes its store anew begins without them, which does not
/// delete them.
///
/// It keeps each until its side has it again, or neither side has it. The journal stores them, as the program
/// may start between two runs of the bridge.
struct LostStores: Sendable, Hashable {
    static let key = "lostStores"

    private var places: Set<Location>

    /// `text`: as stored in the journal.
    init(text: String?) { places = Set(lines: text ?? "") }

    func contains(_ path: RelativePath, on side: Side) -> Bool { places.contains(Location(side, path)) }

    /// Instead of an absent document: its store was made anew without it.
    func problem(with input: PlanInput, in replicas: BothSides<any Replica>) -> (side: Side, Problem)? {
        guard !places.isEmpty, let side = Side.allCases.first(where: input.isAbsent),
            !input.isAbsent(side.other), contains(input.document, on: side),
            let store = replicas[side].address(of: input.document)?.file
        else { return nil }
        return (side, .store(StoreProblem(store, .madeAnew)))
    }

    mutating func record(_ input: PlanInput, in replicas: BothSides<any Replica>) -> FollowUp {
        var next = FollowUp()
        let before = places
        for side in Side.allCases {
            let place = Location(side, input.document)
            switch input.observed[side] {
            case .problem(.store(let problem)) where problem.isLoss: places.insert(place)
            case .problem: break
            case .absent where !input.isAbsent(side.other):
                if Self.isMadeAnew(input, side, in: replicas[side]) { places.insert(place) }
            case .absent, .unchanged, .content: if !places.isEmpty { places.remove(place) }
            }
        }
        if places != before { next.entries = [.value(places.lines, key: Self.key)] }
        return next
    }

    /// Only for databases: programs save other stores by creating a new file, so a new file proves nothing.
    private static func isMadeAnew(_ input: PlanInput, _ side: Side, in replica: any Replica) -> Bool {
        guard let last = input.record?.sides[side].signature,
            let store = replica.address(of: input.document), store.isRow,
            let status = try? replica.status(of: Location(side, store.file))
        else { return false }
        return status.born > last.changed
    }
}
