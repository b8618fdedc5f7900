/// What the schedules of an exploration have shown of a scenario: what they have not shown, they say
/// nothing about.
package struct Coverage: Sendable {
    /// An operation of an actor.
    package struct Place: Sendable, Hashable {
        package var actor: String
        package var operation: Operation
    }

    private let actors: [ScenarioActor]
    private let hasWidgets: Bool
    /// How many of its operations each actor has begun, at most.
    private var begun: [Int]
    /// Hashes of what the actors saw.
    package private(set) var views: Set<UInt64> = []
    /// What programs were still waiting for at the end, and in how many schedules.
    package private(set) var waits: [Rest.Wait: Int] = [:]
    /// In how many schedules the bridge held documents at the end, or was halted: what was saved there since
    /// was not judged to be missing on the other side.
    package private(set) var held = 0
    /// The kinds of anomalies that were checked for, and those that could not occur.
    package let checked: [AnomalyKind]
    package let impossible: [(kind: AnomalyKind, reason: ImpossibleReason)]

    /// Of those that could not occur, without what concerns placed widgets, if the scenario has none.
    package var unchecked: [(kind: AnomalyKind, reason: ImpossibleReason)] {
        impossible.filter { hasWidgets || ![.noWidget, .noTap].contains($0.reason) }
    }

    /// The most classes to count.
    package static var mostClasses: Int { 1 << 16 }

    init(_ scenario: Scenario) {
        actors = scenario.actors
        begun = scenario.actors.map { _ in 0 }
        hasWidgets = !scenario.widgets.isEmpty
        let kinds = scenario.checks.subtracting([.ownCheck]).sorted()
        checked = kinds.filter { scenario.reasonNever($0) == nil }
        impossible = kinds.compactMap { kind in scenario.reasonNever(kind).map { (kind, $0) } }
    }

    /// - Parameter isSameWorkload: its operations are those of the scenario, and not drawn for this schedule.
    mutating func add(_ extent: RunExtent, isSameWorkload: Bool) {
        if views.count < Self.mostClasses { views.insert(extent.view) }
        if extent.isHolding { held += 1 }
        guard isSameWorkload else { return }
        for lane in begun.indices where lane < extent.begun.count {
            begun[lane] = max(begun[lane], extent.begun[lane])
        }
        for wait in extent.waits { waits[wait, default: 0] += 1 }
    }

    /// How many classes of schedules there are, by what each actor saw; at least, if they are `mostClasses`.
    package var classes: Int { views.count }
    package var operations: Int { actors.reduce(0) { $0 + $1.operations.count } }

    /// The operations that ran in no schedule.
    package var untouched: [Place] {
        actors.indices.flatMap { lane in
            let actor = actors[lane]
            return actor.operations.dropFirst(begun[lane]).map { Place(actor: actor.name, operation: $0) }
        }
    }

    /// Of an operation that ran in no schedule, because its actor was waiting for it.
    var endlessWaits: [Rest.Wait] {
        waits.keys.filter { begun[$0.lane] <= $0.operation }.sorted { $0.lane < $1.lane }
    }

    /// The actors that waited at the end of a schedule, with the operation and the number of schedules.
    package var waiting: [(place: Place, schedules: Int)] {
        let sorted = waits.sorted { ($0.key.lane, $0.key.operation) < ($1.key.lane, $1.key.operation) }
        return sorted.map { wait, count in
            let actor = actors[wait.lane]
            let isListed = wait.operation < actor.operations.count
            let operation = isListed ? actor.operations[wait.operation] : Operation(wait.verb)
            return (Place(actor: actor.name, operation: operation), count)
        }
    }
}
