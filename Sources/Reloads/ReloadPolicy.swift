package import Documents
package import Model

/// Decides which kinds may reload, and when. It has no clock: each input has the time as an argument, in
/// milliseconds since 1970, and `deadline` says when `tick` is due.
///
/// A clock that is put back is noticed by the time of the next input. All that is remembered moves with it: a
/// slot that was used an hour ago was used an hour ago still, and a reload that is due in a second still is.
package struct ReloadPolicy: Sendable {
    /// What it remembers, for a journal.
    package struct State: Sendable, Hashable, Codable {
        package var kinds: [String: KindState] = [:]
        package var shared = Shared()

        package init() {}
    }

    /// What it remembers of no kind alone.
    package struct Shared: Sendable, Hashable, Codable {
        var app = AppState()
        /// The time of the last input.
        package fileprivate(set) var clock: Int64 = .min
        /// How many widgets were ever placed.
        var placed = 0
        /// `nil`: there were never any.
        var activities: LiveActivities?

        package init() {}
    }

    private var rules: [KindRules] = []
    private var kinds: [KindState] = []
    private var deadlines: [Int64?] = []
    private var places: [String: Int] = [:]
    package private(set) var shared: Shared

    package init(_ rules: [KindRules], state: State = State()) {
        shared = state.shared
        let others = state.kinds.keys.filter { name in !rules.contains { $0.kind == name } }.sorted()
        for rules in rules + others.map(KindRules.init) { add(rules, state.kinds[rules.kind]) }
    }

    package var state: State {
        var state = State()
        for (rules, kind) in zip(rules, kinds) { state.kinds[rules.kind] = kind }
        state.shared = shared
        return state
    }

    /// When `tick` will have something to do; `nil` if there is no such time. It may be in the past.
    package var deadline: Int64? {
        var next = shared.activities?.deadline
        for case let deadline? in deadlines { next = min(next ?? deadline, deadline) }
        return next
    }

    /// `nil` if it has no rules, and nothing is remembered of it.
    package func state(of kind: String) -> KindState? { places[kind].map { kinds[$0] } }

    /// Whether it does more than grant each visible change at once.
    package func governs(_ kind: String) -> Bool {
        places[kind].map { !rules[$0].isPlain || !kinds[$0].widgets.isEmpty } ?? false
    }

    /// All that have rules, or of which something is remembered.
    package var kindNames: [String] { rules.map(\.kind) }

    /// Those that it governs, in the order of the rules.
    package var governedKinds: [String] { rules.map(\.kind).filter(governs) }

    /// What the kind shows of the document, or will show; `nil` if it does not know it.
    package func projection(of document: RelativePath, in kind: String) -> Projection? {
        places[kind].flatMap { kinds[$0].documents[document]?.current }
    }

    /// The documents that the kind shows or will show, in order.
    package func documents(of kind: String) -> [RelativePath] {
        places[kind].map { kinds[$0].documents.keys.sorted() } ?? []
    }

    /// Notices a clock that was put back.
    package mutating func pass(to now: Int64) { advance(to: now) }

    /// The content of a document that the kind shows is another one, or may be.
    package mutating func change(
        _ kind: String,
        document: RelativePath,
        to new: Projection,
        at now: Int64
    ) -> [ReloadGrant] {
        advance(to: now)
        let place = place(of: kind)
        kinds[place].change(document, to: new, rules[place], at: now)
        return settle(place, at: now)
    }

    /// Nothing happened but time.
    package mutating func tick(at now: Int64) -> [ReloadGrant] {
        advance(to: now)
        var grants: [ReloadGrant] = []
        for place in kinds.indices where deadlines[place].map({ $0 <= now }) ?? false {
            grants += settle(place, at: now)
        }
        for (kind, documents) in shared.activities?.tick(at: now) ?? [] {
            grants.append(ReloadGrant(kind: kind, at: now, cause: .time, documents: documents))
        }
        return grants
    }

    /// The elements of which a document may have Live Activities.
    package mutating func see(
        _ inputs: [LiveActivityInput],
        of rule: LiveActivityRule,
        in document: RelativePath,
        at now: Int64
    ) -> [ReloadGrant] {
        advance(to: now)
        var activities = shared.activities ?? LiveActivities()
        let isChanged = activities.see(inputs, of: rule, in: document, at: now)
        shared.activities = activities
        guard isChanged else { return [] }
        return [ReloadGrant(kind: rule.name, at: now, cause: .change, documents: [document])]
    }

    /// The app does this from now on, for so many milliseconds.
    package mutating func enter(
        _ activity: AppActivity,
        for time: Int64 = AppActivity.lapse,
        at now: Int64
    ) -> [ReloadGrant] {
        advance(to: now)
        shared.app = AppState(activity: activity, until: now + time)
        return kinds.indices.flatMap { settle($0, at: now) }
    }

    /// A person has placed a widget. One that is placed already stays as it is.
    ///
    /// - Parameter isLoaded: it shows the current state, so that it asks for its first reload later.
    package mutating func place(
        _ widget: String,
        of kind: String,
        family: String = "",
        isLoaded: Bool = false,
        at now: Int64
    ) -> [ReloadGrant] {
        advance(to: now)
        let place = place(of: kind)
        shared.placed += 1
        if isLoaded, kinds[place].widgets.isEmpty { kinds[place].askedAt = now }
        if kinds[place].widgets[widget] == nil {
            kinds[place].widgets[widget] = PlacedWidget(family: family, at: now)
        }
        return settle(place, at: now)
    }

    /// A name for the next widget, which none had before.
    package var nextWidget: String { "w\(shared.placed + 1)" }

    /// Of all kinds, in the order of the rules.
    package var widgets: [(id: String, kind: String, widget: PlacedWidget)] {
        zip(rules, kinds).flatMap { rules, kind in
            kind.widgets.sorted { $0.key < $1.key }.map { ($0.key, rules.kind, $0.value) }
        }
    }

    /// A person has removed a widget; its slots no longer count.
    package mutating func remove(_ widget: String, of kind: String, at now: Int64) -> [ReloadGrant] {
        advance(to: now)
        let place = place(of: kind)
        kinds[place].widgets[widget] = nil
        // What the removed ones used is not the kind's own.
        if kinds[place].widgets.isEmpty { kinds[place].own = SlotWindow() }
        return settle(place, at: now)
    }

    // MARK: Steps

    mutating func update(_ kind: String, at now: Int64, _ body: (inout KindState, KindRules) -> Void) {
        advance(to: now)
        let place = place(of: kind)
        body(&kinds[place], rules[place])
        deadlines[place] = kinds[place].deadline(rules[place])
    }

    /// Those for which a profile says how often what is not acknowledged is told again.
    package var acknowledgedKinds: [String] { rules.filter { $0.retry != nil }.map(\.kind) }

    private mutating func add(_ rules: KindRules, _ state: KindState?) {
        places[rules.kind] = kinds.count
        self.rules.append(rules)
        kinds.append(state ?? KindState())
        deadlines.append(kinds[kinds.count - 1].deadline(rules))
    }

    private mutating func place(of kind: String) -> Int {
        if let place = places[kind] { return place }
        add(KindRules(kind: kind), nil)
        return kinds.count - 1
    }

    private mutating func settle(_ place: Int, at now: Int64) -> [ReloadGrant] {
        var grants: [ReloadGrant] = []
        kinds[place].settle(rules[place], isExempt: shared.app.isExempt(at: now), at: now, &grants)
        deadlines[place] = kinds[place].deadline(rules[place])
        return grants
    }

    private mutating func advance(to now: Int64) {
        let clock = shared.clock
        shared.clock = now
        guard now < clock else { return }
        if shared.app.activity != .background { shared.app.until -= clock - now }
        shared.activities?.shift(by: now - clock)
        for place in kinds.indices {
            kinds[place].shift(by: now - clock)
            let isFreshAgain = kinds[place].isStale && kinds[place].staleAt > now
            deadlines[place] = isFreshAgain ? now : kinds[place].deadline(rules[place])
        }
    }
}

// MARK: Reports

extension ReloadPolicy {
    /// What a person sees of one kind.
    package struct Ledger: Sendable, Hashable {
        package var kind: String
        package var counts: KindState.Counts
        /// Of the slots of the last 24 hours.
        package var used: Int
        /// `nil` if its reloads are not limited.
        package var limit: Int?
        package var state: ShownState
        package var isStale: Bool
        /// A reload is late: what is shown is stale, or nothing says when it will be.
        package var isFrozen: Bool
        /// A reload waits for a slot.
        package var isWaiting: Bool
        /// The placed widgets for whose slots it waits, in order: a reload needs one in each of its kind.
        package var blocking: [String]
        /// When the next slot is free; `nil` if one is free now, or none ever will be.
        package var nextSlot: Int64?
        /// Who did not acknowledge the last reload, however often it was told, in order.
        package var failed: [String]
    }

    /// What the app does, and until when that counts, in milliseconds since 1970; `nil`: it is in the
    /// background.
    package func activity(at now: Int64) -> (activity: AppActivity, until: Int64)? {
        shared.app.isExempt(at: now) ? (shared.app.activity, shared.app.until) : nil
    }

    /// In the order of the rules.
    package mutating func ledgers(at now: Int64) -> [Ledger] {
        advance(to: now)
        return kinds.indices.map { place in
            kinds[place].expireSlots(at: now)
            let rules = rules[place]
            var kind = kinds[place]
            kind.isStale = kind.staleAt <= now
            return Ledger(
                kind: rules.kind,
                counts: kind.counts,
                used: kind.used,
                limit: kind.limit(rules),
                state: kind.shownState,
                isStale: kind.isStale,
                isFrozen: kind.isFrozen,
                isWaiting: kind.wish?.isWaiting ?? false,
                blocking: kind.blockingWidgets(rules),
                nextSlot: kind.slotFree(rules).flatMap { $0 > now ? $0 : nil },
                failed: kind.acknowledgements?.failed.sorted() ?? []
            )
        }
    }

    /// Whether a reload of the kind at this place in the rules waits for a slot, and whether it is late.
    func waiting(_ place: Int) -> (isWaiting: Bool, isFrozen: Bool) {
        (kinds[place].wish?.isWaiting ?? false, kinds[place].isFrozen)
    }
}
