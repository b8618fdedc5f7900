import Documents
import Model

/// Decides whether the operations of programs on one document are linearizable: whether each took effect at
/// one moment between its start and its end, such that every read got the latest content.
///
/// The search is that of Wing and Gong, and remembers what it has tried, as Lowe's does. Contents are equal
/// if their JSON is.
struct RegisterCheck {
    /// A read or a write. Without a last step it may have taken effect, or not.
    struct Access: Hashable {
        var lane: Int
        var isRead: Bool
        var value: Int
        var first: Int
        var last: Int?
    }

    enum Result: Hashable {
        case linearizable
        /// What could not be explained: the read, and the values that the register could have had then.
        case violation(Access, instead: [Int])
        case undecided
    }

    /// The most accesses, and the most states of the search.
    static var mostAccesses: Int { 64 }
    private static var mostStates: Int { 100_000 }

    private struct State: Hashable {
        var done: UInt64 = 0
        var value: Int
    }

    private let accesses: [Access]
    private var tried: Set<State> = []
    private var deepest = -1
    private var stuck: Access?
    private var instead: Set<Int> = []
    private let start: Int

    /// - Parameter sides: the containers whose accesses count.
    init(_ history: History, document: Int, sides: Set<Side>) {
        var values = RegisterValues(history)
        start = values.value(of: history.start[document][sides.contains(.app) ? .app : .group])
        accesses = Self.accesses(history, document, sides, &values)
    }

    private static func accesses(
        _ history: History,
        _ document: Int,
        _ sides: Set<Side>,
        _ values: inout RegisterValues
    ) -> [Access] {
        var accesses: [Access] = []
        var lastRead: [Int: Int] = [:]
        for (number, step) in history.steps.enumerated() where step.what == .read && step.document == document
        {
            guard let call = step.call, let version = step.version, step.side.map(sides.contains) == true,
                !history.isAgent(step.lane)
            else { continue }
            let value = values.value(of: version)
            let first = history.calls[call].first
            accesses.append(Access(lane: step.lane, isRead: true, value: value, first: first, last: number))
            lastRead[call] = number
        }
        for (number, call) in history.calls.enumerated()
        where call.document == document && call.side.map(sides.contains) == true && call.result != .refused {
            let isDeletion = call.name == .operation(.delete)
            guard let version = isDeletion ? History.absent : call.intends else { continue }
            let last = call.result == .done ? call.last : nil
            let first = lastRead[number] ?? call.first
            let value = values.value(of: version)
            accesses.append(Access(lane: call.lane, isRead: false, value: value, first: first, last: last))
        }
        return accesses.sorted { ($0.first, $0.last ?? .max) < ($1.first, $1.last ?? .max) }
    }

    mutating func result() -> Result {
        guard accesses.count <= Self.mostAccesses else { return .undecided }
        if explains(State(value: start)) { return .linearizable }
        guard tried.count < Self.mostStates, let stuck else { return .undecided }
        return .violation(stuck, instead: instead.sorted())
    }

    private func isDone(_ number: Int, _ state: State) -> Bool { state.done & (1 << UInt64(number)) != 0 }

    /// Whether the accesses that are left can follow.
    private mutating func explains(_ state: State) -> Bool {
        let left = accesses.indices.filter { !isDone($0, state) }
        if left.allSatisfy({ accesses[$0].last == nil }) { return true }
        guard tried.count < Self.mostStates, tried.insert(state).inserted else { return false }
        // The next access must begin before any of the remaining ones has ended.
        let end = left.compactMap { accesses[$0].last }.min() ?? .max
        for number in left where accesses[number].first <= end {
            let access = accesses[number]
            if access.isRead, access.value != state.value {
                remember(access, state)
                continue
            }
            var next = state
            next.done |= 1 << UInt64(number)
            next.value = access.value
            if explains(next) { return true }
        }
        return false
    }

    /// The read that no order explains is the one before which most was explained.
    private mutating func remember(_ access: Access, _ state: State) {
        let depth = state.done.nonzeroBitCount
        if depth > deepest { (deepest, stuck, instead) = (depth, access, []) }
        if depth == deepest, access == stuck { instead.insert(state.value) }
    }
}

/// Numbers for contents: equal for equal JSON.
private struct RegisterValues {
    private let history: History
    /// A content of each value.
    private var known: [(version: Int, json: JSON?)] = []

    init(_ history: History) { self.history = history }

    /// The number is that of a content with that value.
    mutating func value(of version: Int) -> Int {
        if version == History.absent { return version }
        if let same = known.first(where: { $0.version == version }) { return same.version }
        let json = try? JSON(parsing: history.versions[version].bytes)
        if let json, let same = known.first(where: { $0.json.map { $0.isEqual(to: json) } ?? false }) {
            return same.version
        }
        known.append((version, json))
        return version
    }
}
