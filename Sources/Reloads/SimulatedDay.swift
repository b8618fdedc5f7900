package import Documents
package import Model

/// What happens on one day, to find out which kinds would freeze. Times are in milliseconds since 1970.
package struct SimulatedDay: Sendable {
    package struct Event: Sendable {
        package enum What: Sendable {
            /// `nil`: something that the kind shows is another one than before.
            case change(kind: String, document: RelativePath, to: Projection?)
            case app(AppActivity, for: Int64)
            /// The document's elements that may have a Live Activity.
            case elements([LiveActivityInput], of: LiveActivityRule, document: RelativePath)
        }

        package var at: Int64
        package var what: What

        package init(at: Int64, _ what: What) { (self.at, self.what) = (at, what) }

        fileprivate func concerns(_ kind: String) -> Bool {
            switch what {
            case .change(let changed, _, _): changed == kind
            case .app: true
            case .elements: false
            }
        }
    }

    /// Local midnight.
    package let start: Int64
    /// The next one: 23 or 25 hours later where a clock change makes the day so long.
    package let end: Int64
    let zone: TimeZoneRules
    /// In order.
    package let events: [Event]

    /// - Parameter events: in any order; those of one moment happen in the given one.
    package init(start: Int64, in zone: TimeZoneRules = .utc, _ events: [Event] = []) {
        (self.start, self.zone) = (start, zone)
        // Well within the next day, however long this one is.
        end = Int64(zone.midnight(before: Int(start / 1000) + 129_600)) * 1000
        // A day may have millions of events, which usually are in order.
        let isOrdered = zip(events, events.dropFirst()).allSatisfy { $0.at <= $1.at }
        self.events =
            isOrdered
            ? events
            : events.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
                .map(\.element)
    }

    /// What becomes of each kind, one widget of which is placed when the day begins.
    package func run(_ rules: [KindRules]) -> [KindDay] { simulated(rules, keepsGrants: false).kinds }

    package func simulated(_ rules: [KindRules], keepsGrants: Bool) -> SimulatedReloads {
        var run = DayRun(rules, self, keepsGrants)
        var next = events.startIndex
        while true {
            let event = next < events.endIndex ? events[next].at : .max
            let deadline = run.policy.deadline.map { max($0, run.now) } ?? .max
            guard min(event, deadline) < end else {
                return SimulatedReloads(kinds: run.days(), activities: run.activities, grants: run.kept)
            }
            if deadline <= event {
                run.tick(at: deadline)
            } else {
                run.happen(events[next])
                next += 1
            }
        }
    }

    /// The least minutes between two reloads that the kind asks for by itself, so that none has to wait;
    /// `nil` if it asks for none, its reloads are not limited, or other reloads already have to wait.
    package func fittingMinutes(_ rules: KindRules) -> Int? {
        guard rules.every != nil, rules.limit(isPlaced: true) != nil else { return nil }
        let own = SimulatedDay(start: start, in: zone, events.filter { $0.concerns(rules.kind) })
        func fits(_ minutes: Int) -> Bool {
            var rules = rules
            rules.every = Int64(minutes) * 60_000
            return own.run([rules]).allSatisfy { $0.ledger.counts.delayed == 0 }
        }
        // Longer times mean fewer asks, so the shortest one that fits is found by halving.
        var (short, long) = (0, 1440)
        guard fits(long) else { return nil }
        while long - short > 1 {
            let middle = (short + long) / 2
            if fits(middle) { long = middle } else { short = middle }
        }
        return long
    }
}

extension SimulatedDay {
    /// Of those that the clocks show from midnight.
    fileprivate func halfHour(of time: Int64) -> Int {
        let seconds = Int(time / 1000)
        let sinceMidnight = (seconds + zone.offset(at: seconds)) % 86_400
        // Before 1970 the remainder is negative.
        return (sinceMidnight + 86_400) % 86_400 / 1800
    }
}

/// What became of a kind on a simulated day.
package struct KindDay: Sendable, Hashable {
    /// As the day ends.
    package var ledger: ReloadPolicy.Ledger
    /// In each half-hour that the clocks show; one that a clock change repeats counts twice.
    package var grants = [Int](repeating: 0, count: 48)
    /// When a reload had to wait for the first time.
    package var waitsFrom: Int64?
    /// When a reload was late for the first time.
    package var frozenFrom: Int64?
}

/// What became of a simulated day.
package struct SimulatedReloads: Sendable {
    package var kinds: [KindDay]
    /// In the order in which they start.
    package var activities: [LiveActivityRun]
    /// In order; empty unless they were to be kept.
    package var grants: [ReloadGrant]
}

/// A Live Activity of a simulated day.
package struct LiveActivityRun: Sendable, Hashable {
    package var kind: String
    package var id: String
    package var startedAt: Int64
    /// When it ends, or starts anew.
    package var endsAt: Int64
}

/// A day as far as it has been simulated.
private struct DayRun {
    var policy: ReloadPolicy
    private(set) var now: Int64
    private let day: SimulatedDay
    private let places: [String: Int]
    private var grants: [[Int]]
    private var waitsFrom: [Int64?]
    private var frozenFrom: [Int64?]
    private var changes: UInt64 = 0
    private(set) var activities: [LiveActivityRun] = []
    private(set) var kept: [ReloadGrant] = []
    private let keepsGrants: Bool

    init(_ rules: [KindRules], _ day: SimulatedDay, _ keepsGrants: Bool) {
        self.keepsGrants = keepsGrants
        policy = ReloadPolicy(rules)
        (self.day, now) = (day, day.start)
        places = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.kind, $0) })
        grants = rules.map { _ in [Int](repeating: 0, count: 48) }
        waitsFrom = rules.map { _ in nil }
        frozenFrom = waitsFrom
        for rules in rules { note(policy.place(rules.kind, of: rules.kind, at: day.start)) }
    }

    mutating func tick(at time: Int64) {
        now = time
        note(policy.tick(at: time))
        noteActivities()
    }

    private mutating func noteActivities() {
        for activity in policy.activities {
            guard let startedAt = activity.startedAt, let endsAt = activity.endsAt else { continue }
            let known = activities.lastIndex {
                $0.kind == activity.kind && $0.id == activity.id && $0.startedAt == startedAt
            }
            if let known {
                activities[known].endsAt = endsAt
            } else {
                endEarlier(activity, at: startedAt)
                activities.append(
                    .init(kind: activity.kind, id: activity.id, startedAt: startedAt, endsAt: endsAt)
                )
            }
        }
    }

    /// One that starts anew takes the place of the earlier one.
    private mutating func endEarlier(_ activity: ReloadPolicy.ActivityReport, at time: Int64) {
        for place in activities.indices
        where activities[place].kind == activity.kind && activities[place].id == activity.id {
            activities[place].endsAt = min(activities[place].endsAt, time)
        }
    }

    mutating func happen(_ event: SimulatedDay.Event) {
        now = event.at
        switch event.what {
        case .app(let activity, let time): note(policy.enter(activity, for: time, at: now))
        case .elements(let inputs, let rule, let document):
            note(policy.see(inputs, of: rule, in: document, at: now))
            noteActivities()
        case .change(let kind, let document, let new):
            guard places[kind] != nil else { return }
            changes += 1
            let new = new ?? Projection(content: .numbered(changes))
            note(policy.change(kind, document: document, to: new, at: now))
        }
    }

    private mutating func note(_ granted: [ReloadGrant]) {
        if keepsGrants { kept += granted }
        for grant in granted where grant.cause != .time {
            guard let place = places[grant.kind] else { continue }
            grants[place][day.halfHour(of: grant.at)] += 1
        }
        for place in frozenFrom.indices where frozenFrom[place] == nil {
            let (isWaiting, isFrozen) = policy.waiting(place)
            if isWaiting, waitsFrom[place] == nil { waitsFrom[place] = now }
            if isFrozen { frozenFrom[place] = now }
        }
    }

    mutating func days() -> [KindDay] {
        policy.ledgers(at: day.end - 1).enumerated().map { place, ledger in
            KindDay(
                ledger: ledger,
                grants: grants[place],
                waitsFrom: waitsFrom[place],
                frozenFrom: frozenFrom[place]
            )
        }
    }
}

extension Digest {
    /// Another one for each number, as if it were that of a content.
    fileprivate static func numbered(_ number: UInt64) -> Digest? {
        // Not joined from smaller arrays: a day may have millions of changes.
        var bytes = [UInt8](repeating: 0, count: 32)
        for place in 0..<8 { bytes[place] = UInt8(truncatingIfNeeded: number >> UInt64(8 * place)) }
        return Digest(bytes: bytes)
    }
}
