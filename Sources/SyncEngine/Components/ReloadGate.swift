package import Documents
import Model
import Reloads
package import StateStore

/// The policy for when kinds reload, and what of it the journal does not have yet.
///
/// Kinds about which a profile says nothing, and of which no widget is placed, do not go through it: each
/// visible change is a reload.
package struct ReloadGate: Sendable {
    private var policy: ReloadPolicy
    /// Kinds whose state the journal does not have.
    private var unwritten: Set<String> = []
    private var isSharedUnwritten = false
    /// The moment of the last input.
    private var last: Moment?
    /// The causes of changes that wait, by kind and document.
    private var causes: [Waiting: Cause] = [:]
    /// When documents may be in another state without a change, in milliseconds since 1970.
    private var stateChanges: [Waiting: Int64] = [:]
    /// Events of commits that were recorded late, and showed what a program had saved since.
    private var ahead: [RelativePath: JournalEvent] = [:]
    /// Whether the policy knows the documents that were there before it.
    private(set) var isSeeded = false
    let locale: String?
    /// That of the profile, or of its surroundings if it has none.
    let zone: JSONExpression.Zone

    private struct Waiting: Hashable {
        var kind: String
        var document: RelativePath
    }

    private static let sharedKey = "reloads"
    private static let prefix = "reloads/"

    /// - Parameter zone: that of widgets if the profile has none.
    package init(_ profile: Profile?, in zone: JSONExpression.Zone, _ journal: any Journal)
        throws(JournalError)
    {
        var state = ReloadPolicy.State()
        if let text = try journal.value(of: Self.sharedKey) {
            state.shared = StoredJSON.value(ReloadPolicy.Shared.self, of: text) ?? state.shared
        }
        for (key, text) in try journal.values(withPrefix: Self.prefix) {
            let kind = String(key.dropFirst(Self.prefix.count))
            state.kinds[kind] = StoredJSON.value(KindState.self, of: text)
        }
        let own = profile?.timeZone.map { JSONExpression.Zone(name: $0.name, rules: $0.rules) }
        (locale, self.zone) = (profile?.locale, own ?? zone)
        policy = ReloadPolicy(profile.map { KindRules.all(of: $0, in: zone.rules) } ?? [], state: state)
    }

    package func governs(_ kind: String) -> Bool { policy.governs(kind) }

    func projection(of document: RelativePath, in kind: String) -> Projection? {
        policy.projection(of: document, in: kind)
    }

    func documents(of kind: String) -> [RelativePath] { policy.documents(of: kind) }

    /// What it remembers, of each kind.
    var documents: [(path: RelativePath, kind: String)] {
        policy.kindNames.flatMap { kind in
            documents(of: kind).map { ($0, kind) }
        }
    }

    /// On the scale of the wall clock, in milliseconds; `nil` if only a change can cause a reload.
    package var deadline: Int64? {
        [policy.deadline, stateChanges.values.min()].compactMap(\.self).min()
    }

    /// Whether the deadline has passed, or the clock was put back, which moves it.
    func isDue(at now: Moment) -> Bool {
        (deadline.map { $0 <= now.unixMilliseconds } ?? false) || isPutBack(at: now)
    }

    // MARK: Inputs

    /// The kind shows this document already, as far as is known.
    mutating func know(_ document: RelativePath, of kind: String, as shown: Projection, at now: Moment)
        -> [ReloadGrant]
    {
        stateChanges[Waiting(kind: kind, document: document)] = shown.stateChangesAt
        if projection(of: document, in: kind) == shown { return [] }
        return step(kind, at: now) { $0.know(document, of: kind, as: shown, at: now.unixMilliseconds) }
    }

    mutating func drop(_ document: RelativePath, from kind: String, at now: Moment) -> [ReloadGrant] {
        step(kind, at: now) { $0.drop(document, from: kind, at: now.unixMilliseconds) }
    }

    mutating func markSeeded() { isSeeded = true }

    mutating func change(
        _ kind: String,
        document: RelativePath,
        to new: Projection,
        cause: Cause,
        at now: Moment
    ) -> [ReloadGrant] {
        stateChanges[Waiting(kind: kind, document: document)] = new.stateChangesAt
        var grants = step(kind, at: now) {
            $0.change(kind, document: document, to: new, at: now.unixMilliseconds)
        }
        if cause == .time { for index in grants.indices { grants[index].cause = .time } }
        let isNotified = grants.contains { $0.documents.contains(document) }
        causes[Waiting(kind: kind, document: document)] = isNotified ? nil : cause
        return grants
    }

    /// The documents whose state may be another one by now, in order.
    mutating func takeStateChanges(at now: Moment) -> [RelativePath] {
        let due = stateChanges.filter { $0.value <= now.unixMilliseconds }
        for waiting in due.keys { stateChanges[waiting] = nil }
        return Set(due.keys.map(\.document)).sorted()
    }

    mutating func tick(at now: Moment) -> [ReloadGrant] {
        step(at: now) { $0.tick(at: now.unixMilliseconds) }
    }

    mutating func place(_ kind: String, _ family: String, at now: Moment) -> (id: String, [ReloadGrant]) {
        step(kind, at: now) {
            let id = $0.nextWidget
            let now = now.unixMilliseconds
            return (id, $0.place(id, of: kind, family: family, isLoaded: true, at: now))
        }
    }

    mutating func remove(_ widget: String, of kind: String, at now: Moment) -> [ReloadGrant] {
        step(kind, at: now) { $0.remove(widget, of: kind, at: now.unixMilliseconds) }
    }

    mutating func enter(_ activity: AppActivity, for time: Duration, at now: Moment) -> [ReloadGrant] {
        step(at: now) {
            $0.enter(activity, for: Int64(time / .milliseconds(1)), at: now.unixMilliseconds)
        }
    }

    mutating func see(
        _ inputs: [LiveActivityInput],
        of rule: LiveActivityRule,
        in document: RelativePath,
        at now: Moment
    ) -> [ReloadGrant] {
        step(at: now) { $0.see(inputs, of: rule, in: document, at: now.unixMilliseconds) }
    }

    // MARK: Acknowledgements

    /// - Parameter kind: `nil`: each for which a profile asks for it.
    mutating func expect(_ listener: String, of kind: String?, fromCurrent: Bool, at now: Moment) {
        for one in policy.acknowledgedKinds where kind.map({ $0 == one }) ?? true {
            step(one, at: now) {
                $0.expect(listener, of: one, fromCurrent: fromCurrent, at: now.unixMilliseconds)
            }
        }
    }

    /// - Parameter isFollowed: of a kind, that the listener is still there for it.
    mutating func leave(_ listener: String, unless isFollowed: (String) -> Bool, at now: Moment) {
        for kind in policy.acknowledgedKinds where !isFollowed(kind) && policy.isPresent(listener, of: kind) {
            step(kind, at: now) { $0.leave(listener, of: kind, at: now.unixMilliseconds) }
        }
    }

    /// Of these names only those are left.
    mutating func forget(_ isGone: (String) -> Bool, at now: Moment) {
        for kind in policy.acknowledgedKinds {
            for listener in policy.listeners(of: kind).filter(isGone).sorted() {
                step(kind, at: now) { $0.forget(listener, of: kind, at: now.unixMilliseconds) }
            }
        }
    }

    /// - Parameter kind: `nil`: all.
    mutating func acknowledge(_ listener: String, of kind: String?, upTo notice: Int64, at now: Moment) {
        let kinds = policy.acknowledgedKinds.filter { one in kind.map { $0 == one } ?? true }
        for kind in kinds where policy.listeners(of: kind).contains(listener) {
            step(kind, at: now) {
                $0.acknowledge(listener, of: kind, upTo: notice, at: now.unixMilliseconds)
            }
        }
    }

    func isAcknowledged(by listener: String, _ kind: String) -> Bool {
        policy.isAcknowledged(by: listener, kind)
    }

    mutating func record(_ event: JournalEvent, at now: Moment) {
        for (index, kind) in event.kinds.enumerated() where policy.awaits(kind) {
            let notice = event.firstNotice + Int64(index)
            step(kind, at: now) { $0.note(notice: notice, of: kind, at: now.unixMilliseconds) }
        }
    }

    /// The event's kinds that no event has notified yet of what it shows. `recorded`: what the group has with
    /// the commit.
    mutating func unnotified(_ event: JournalEvent, recorded: Digest?) -> [String] {
        let notified = ahead.removeValue(forKey: event.document)
        if event.hashes.group != recorded { ahead[event.document] = event }
        guard let notified, notified.hashes.group == event.hashes.group else { return event.kinds }
        return event.kinds.filter { !notified.kinds.contains($0) }
    }

    /// Why a document changed that a kind shows only now; `nil` if an earlier run knew that.
    mutating func takeCause(of document: RelativePath, _ kind: String) -> Cause? {
        causes.removeValue(forKey: Waiting(kind: kind, document: document))
    }

    /// The states that the journal does not have.
    mutating func takeUnwritten() -> [JournalEntry] {
        guard isSharedUnwritten else { return [] }
        defer { (unwritten, isSharedUnwritten) = ([], false) }
        let kinds = unwritten.sorted().compactMap { kind in
            policy.state(of: kind).map {
                JournalEntry.value(StoredJSON.text(of: $0), key: Self.prefix + kind)
            }
        }
        return kinds + [.value(StoredJSON.text(of: policy.shared), key: Self.sharedKey)]
    }

    // MARK: Reports

    var widgets: [(id: String, kind: String, widget: PlacedWidget)] { policy.widgets }

    var activities: [ReloadPolicy.ActivityReport] { policy.activities }

    func ledgers(at now: Moment) -> [ReloadPolicy.Ledger] {
        var policy = policy
        return policy.ledgers(at: max(now.unixMilliseconds, policy.shared.clock))
    }

    func activity(at now: Moment) -> (activity: AppActivity, until: Int64)? {
        policy.activity(at: now.unixMilliseconds)
    }

    // MARK: Steps

    /// - Parameter kind: the one that it is about; `nil`: any.
    private mutating func step<Value>(
        _ kind: String? = nil,
        at now: Moment,
        _ body: (inout ReloadPolicy) -> Value
    ) -> Value {
        // A clock that is put back shows what time it was then, so that the policy sees by how much.
        if let last, isPutBack(at: now) { policy.pass(to: last.unixMilliseconds + elapsed(since: last, now)) }
        last = now
        defer {
            unwritten.formUnion(kind.map { [$0] } ?? policy.governedKinds)
            isSharedUnwritten = true
        }
        return body(&policy)
    }

    private func elapsed(since last: Moment, _ now: Moment) -> Int64 {
        Int64((now.uptime - last.uptime) / .milliseconds(1))
    }

    /// Both clocks are read one after the other, so that small differences say nothing.
    private func isPutBack(at now: Moment) -> Bool {
        guard let last else { return now.unixMilliseconds < policy.shared.clock }
        return now.unixMilliseconds < last.unixMilliseconds + elapsed(since: last, now) - Self.leastJump
    }

    private static let leastJump: Int64 = 1000
}
