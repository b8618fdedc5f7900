import Documents
import Model
package import Reloads
package import StateStore

/// A widget that a person has placed.
package struct WidgetEntry: Codable, Sendable, Hashable {
    package var id: String
    package var kind: String
    package var family: String
    /// When it was placed, as RFC 3339.
    package var at: String

    package init(id: String, kind: String, family: String, at: String) {
        (self.id, self.kind, self.family, self.at) = (id, kind, family, at)
    }
}

/// A Live Activity that runs or has just ended, or is too large to start.
package struct LiveActivityEntry: Codable, Sendable, Hashable {
    package enum State: String, Codable, Sendable, Hashable {
        case active, ended
        case tooLarge = "too-large"
    }

    package var id: String
    package var state: State
    /// As RFC 3339; `nil` if it has not started.
    package var startedAt: String?
    /// When it ended, or ends at the latest.
    package var endsAt: String?

    package init(id: String, state: State, startedAt: String?, endsAt: String?) {
        (self.id, self.state, self.startedAt, self.endsAt) = (id, state, startedAt, endsAt)
    }
}

/// What a kind's reloads have cost, and what waits.
package struct KindLedger: Codable, Sendable, Hashable {
    package var kind: String
    package var state: ShownState
    /// The slots that are used, of the last 24 hours.
    package var used: Int
    /// `nil` if its reloads are not limited.
    package var budget: Int?
    package var exempt: Int
    package var coalesced: Int
    package var invisible: Int
    package var delayed: Int
    /// When the next slot is free, as RFC 3339; `nil` if one is free now, or none ever will be.
    package var nextSlot: String?
    /// The IDs of the placed widgets for whose slots a reload waits; empty if none is placed, `nil` if no
    /// reload waits.
    package var waitsFor: [String]?
    /// Who did not acknowledge the last reload, however often it was repeated; `nil`: nobody.
    package var failed: [String]?
    /// `nil` for a kind of widget.
    package var activities: [LiveActivityEntry]?

    package init(
        kind: String,
        state: ShownState,
        used: Int,
        budget: Int?,
        exempt: Int,
        coalesced: Int,
        invisible: Int,
        delayed: Int,
        nextSlot: String?,
        waitsFor: [String]? = nil,
        failed: [String]? = nil
    ) {
        (self.kind, self.state, self.used, self.budget) = (kind, state, used, budget)
        (self.exempt, self.coalesced, self.invisible) = (exempt, coalesced, invisible)
        (self.delayed, self.nextSlot) = (delayed, nextSlot)
        (self.waitsFor, self.failed) = (waitsFor, failed)
    }
}

/// What the app does, as far as the budget is concerned.
package struct AppStateReport: Codable, Sendable, Hashable {
    package var state: AppActivity
    /// When that lapses, as RFC 3339; `nil` for the background.
    package var until: String?

    package init(state: AppActivity, until: String?) { (self.state, self.until) = (state, until) }
}

/// Requests of a person or of the app about widgets. A request takes effect once the journal has it.
extension Engine {
    package var placedWidgets: [WidgetEntry] {
        reloads.widgets.map { WidgetEntry($0.id, $0.kind, $0.widget) }
    }

    package mutating func placeWidget(
        _ kind: String,
        _ family: String,
        at now: Moment
    ) throws(JournalError) -> WidgetEntry {
        let id = try recorded(at: now) { engine in
            let (id, grants) = engine.reloads.place(kind, family, at: now)
            for path in engine.records.keys.sorted() { engine.seedReloads(of: path, at: now) }
            engine.notify(grants, at: now)
            return id
        }
        guard let placed = placedWidgets.first(where: { $0.id == id }) else {
            preconditionFailure("it was placed")
        }
        return placed
    }

    /// `nil` if there is no such widget.
    package mutating func removeWidget(_ id: String, at now: Moment) throws(JournalError) -> WidgetEntry? {
        guard let widget = placedWidgets.first(where: { $0.id == id }) else { return nil }
        try recorded(at: now) { engine in
            engine.notify(engine.reloads.remove(id, of: widget.kind, at: now), at: now)
            // The families that are left may show less.
            for path in engine.records.keys.sorted() { engine.seedReloads(of: path, at: now) }
        }
        return widget
    }

    package mutating func enter(
        _ activity: AppActivity,
        for time: Duration,
        at now: Moment
    ) throws(JournalError) -> AppStateReport {
        try recorded(at: now) { engine in
            engine.notify(engine.reloads.enter(activity, for: time, at: now), at: now)
        }
        return appState(at: now)
    }

    package func appState(at now: Moment) -> AppStateReport {
        let entered = reloads.activity(at: now)
        return AppStateReport(
            state: entered?.activity ?? .background,
            until: entered.map { UTCTime.text($0.until) }
        )
    }

    /// Of the kinds of the profile, and of those with placed widgets.
    ///
    /// - Parameter reads: the engine has not read the documents, as it keeps nothing in sync, or is paused.
    package func reloadLedger(at now: Moment, readingGroup reads: Bool = false) -> [KindLedger] {
        // Of a kind that reloads with each change nothing is remembered but that it does.
        var copy = self
        if reads { copy.readGroup() }
        copy.seedAllReloads(at: now)
        let hindered = copy.hinderedKinds(at: now)
        let placed = Set(reloads.widgets.map(\.kind))
        let named = profile.map { Set($0.documents.flatMap { $0.kinds.map(\.name) }) }
        let ledgers = copy.reloads.ledgers(at: now).filter {
            placed.contains($0.kind) || named?.contains($0.kind) ?? true
        }
        return ledgers.map { ledger in
            var kind = KindLedger(ledger)
            kind.state = hindered[ledger.kind] ?? kind.state
            return kind
        } + activityLedger
    }

    private mutating func readGroup() {
        for path in records.keys.sorted() where profile?.named(path.description) != nil { readGroup(path) }
    }

    /// What widgets find there, although it is not synced.
    mutating func readGroup(_ path: RelativePath) {
        let record = records[path]
        holds.remember(look(.group, path, rehash: true, record: record).groupContent(record), of: path)
    }

    private var activityLedger: [KindLedger] {
        let names = profile?.documents.flatMap { $0.activities.map(\.name) } ?? []
        let activities = reloads.activities
        return names.map { name in KindLedger(name, activities.filter { $0.kind == name }) }
    }

    /// The kinds that cannot show what their side has.
    private func hinderedKinds(at now: Moment) -> [String: ShownState] {
        var kinds: [String: ShownState] = [:]
        for path in holds.found.keys.sorted() {
            let unsynced = unsynced(path, at: now)
            guard let state = holds.shownState(of: path) ?? unsynced?.shown.state.hindrance else { continue }
            for kind in rule(for: path).kinds { kinds[kind.name] = state }
        }
        return kinds
    }

    /// From now on this listener acknowledges the reloads of the kind, or of all kinds for which the profile
    /// asks for it.
    ///
    /// - Parameter fromCurrent: the listener first gets notices of the current contents.
    package mutating func expect(
        _ listener: String,
        of kind: String?,
        fromCurrent: Bool = false,
        at now: Moment
    ) {
        reloads.expect(listener, of: kind, fromCurrent: fromCurrent, at: now)
    }

    /// This listener is not there now, but for the kinds that are followed.
    package mutating func leave(_ listener: String, unless isFollowed: (String) -> Bool, at now: Moment) {
        reloads.leave(listener, unless: isFollowed, at: now)
    }

    /// Forgets listeners that will not come back.
    package mutating func forget(_ isGone: (String) -> Bool, at now: Moment) {
        reloads.forget(isGone, at: now)
    }

    /// The listener has got all notices of the kind up to this number, or those of all kinds.
    package mutating func acknowledge(
        _ listener: String,
        of kind: String? = nil,
        upTo notice: Int64,
        at now: Moment
    ) throws(JournalError) {
        try recorded(at: now) { engine in
            engine.reloads.acknowledge(listener, of: kind, upTo: notice, at: now)
        }
    }

    /// Whether the listener has acknowledged the last reload of the kind.
    package func isAcknowledged(by listener: String, _ kind: String) -> Bool {
        reloads.isAcknowledged(by: listener, kind)
    }

    private mutating func recorded<Value>(
        at now: Moment,
        _ change: (inout Engine) -> Value
    ) throws(JournalError) -> Value {
        let before = reloads
        let value = change(&self)
        do {
            try journal.record(reloads.takeUnwritten())
        } catch {
            reloads = before
            throw error
        }
        return value
    }
}

extension ShownDocument.State {
    /// `nil`: the kind shows the document.
    package var hindrance: ShownState? {
        switch self {
        case .fresh, .stale: nil
        case .error: .error
        case .noData: .noData
        case .incompatible: .incompatible
        }
    }
}

extension WidgetEntry {
    fileprivate init(_ id: String, _ kind: String, _ widget: PlacedWidget) {
        self.init(id: id, kind: kind, family: widget.family, at: UTCTime.text(widget.at))
    }
}

extension KindLedger {
    fileprivate init(_ name: String, _ activities: [ReloadPolicy.ActivityReport]) {
        self.init(
            kind: name,
            state: activities.contains { !$0.hasEnded && !$0.isTooLarge } ? .fresh : .noData,
            used: 0,
            budget: nil,
            exempt: 0,
            coalesced: 0,
            invisible: 0,
            delayed: 0,
            nextSlot: nil
        )
        self.activities = activities.map { activity in
            LiveActivityEntry(
                id: activity.id,
                state: activity.isTooLarge ? .tooLarge : activity.hasEnded ? .ended : .active,
                startedAt: activity.startedAt.map { UTCTime.text($0) },
                endsAt: activity.endsAt.map { UTCTime.text($0) }
            )
        }
    }

    fileprivate init(_ ledger: ReloadPolicy.Ledger) {
        self.init(
            kind: ledger.kind,
            state: ledger.state,
            used: ledger.used,
            budget: ledger.limit,
            exempt: ledger.counts.exempt,
            coalesced: ledger.counts.coalesced,
            invisible: ledger.counts.invisible,
            delayed: ledger.counts.delayed,
            nextSlot: ledger.nextSlot.map { UTCTime.text($0) },
            waitsFor: ledger.isWaiting ? ledger.blocking : nil,
            failed: ledger.failed.isEmpty ? nil : ledger.failed
        )
    }
}
