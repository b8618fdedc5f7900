package import Documents

/// When a kind of widget may reload, and when it asks for that by itself. Times are in milliseconds.
package struct KindRules: Sendable, Hashable {
    package var kind: String
    /// `nil`: the standard one if widgets of the kind are placed, else none.
    package var budget: ReloadBudget?
    /// Changes within this time cause one reload. `nil`: the standard time if the kind has a budget, else
    /// each visible change causes one.
    package var coalesce: Int64?
    /// The time from a reload to the next one that the kind asks for: that of the policy `after`, or of the
    /// last entry of a timeline with `atEnd`. `nil`: it never asks.
    package var every: Int64?
    /// Seconds since local midnight.
    package var daily: [Int] = []
    package var zone = TimeZoneRules.utc
    /// The age at which data without a time of its own is stale, counted from the reload; `nil`: never.
    package var staleAfter: Int64?
    /// Its documents may be in another state without a change.
    package var readsMoment = false
    /// How often a reload that is not acknowledged is told again; `nil`: none must be.
    package var retry: RetryRule?

    package init(kind: String) { self.kind = kind }

    /// - Parameter zone: that of the daily times if the profile has none.
    package init(_ kind: WidgetKind, _ rule: DocumentRule, in zone: TimeZoneRules) {
        self.init(kind: kind.name)
        budget = kind.budget
        coalesce = kind.coalesce
        retry = kind.retry
        if let refresh = kind.refresh {
            every = refresh.interval.map { Int64($0) * 60_000 }
            daily = refresh.daily
        }
        self.zone = rule.zone ?? zone
        readsMoment = rule.states.readsMoment
        staleAfter = rule.staleness.map { Int64($0.after) * 1000 }
    }

    private static let standardCoalesce: Int64 = 250

    func coalesce(isPlaced: Bool) -> Int64 {
        coalesce ?? (isPlaced || budget != nil ? Self.standardCoalesce : 0)
    }

    /// Whether the profile says anything that delays its reloads, or causes one.
    package var isPlain: Bool {
        budget == nil && coalesce == nil && staleAfter == nil && retry == nil && !readsMoment
    }

    /// `nil` if its reloads are not limited.
    func limit(isPlaced: Bool) -> Int? { (budget ?? (isPlaced ? .standard : .unlimited)).limit }

    /// The next daily time; `Int64.max` if there is none.
    func nextDaily(after time: Int64) -> Int64 {
        // Rounded down, so that a time within this second is not before it.
        let seconds = time / 1000 - (time % 1000 < 0 ? 1 : 0)
        return zone.next(daily, after: Int(seconds)).map { Int64($0) * 1000 } ?? .max
    }

    /// The rules of all kinds, in the profile's order. A kind of several documents has those of the first.
    ///
    /// - Parameter zone: that of the daily times if the profile has none.
    package static func all(of profile: Profile, in zone: TimeZoneRules = .utc) -> [KindRules] {
        var names: Set<String> = []
        return profile.documents.flatMap { rule in rule.kinds.map { KindRules($0, rule, in: zone) } }
            .filter { names.insert($0.kind).inserted }
    }
}
