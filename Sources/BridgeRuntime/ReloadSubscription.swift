import Model
package import SyncEngine

/// Where a subscriber that has read nothing yet, or has fallen off the feed, goes on.
package protocol ReloadSource: Sendable {
    /// One notice for each document and kind there is now, and the sequence up to which they are true; `nil`
    /// once the bridge is closed.
    func currentNotices() async -> (last: Int64, notices: [Notice])?
    /// The notices after that sequence; `nil` if they are no longer kept.
    func notices(after cursor: Int64) async -> [Notice]?
    /// Whether a subscriber has acknowledged the last reload of the kind.
    func isAcknowledged(_ kind: String) async -> Bool
}

extension ReloadSource {
    package func isAcknowledged(_ kind: String) async -> Bool { false }
}

/// The stream of notices for one subscriber.
///
/// It starts with the current state, or with the notices after the subscriber's cursor; then every notice
/// follows in order. No notice is skipped: if some were dropped, the subscriber gets a gap and the current
/// state again.
package actor ReloadSubscription {
    private let source: any ReloadSource
    private let feed: ReloadFeed
    private let filter: ReloadFilter
    private var instance: String { feed.instance }
    private var cursor: Int64 = 0
    private var pending: [ReloadEvent] = []
    private var hasStarted = false

    package init(source: any ReloadSource, feed: ReloadFeed, filter: ReloadFilter) {
        self.source = source
        self.feed = feed
        self.filter = filter
    }

    package func next() async -> ReloadEvent? {
        if !hasStarted { await start() }
        while !Task.isCancelled {
            if let event = pending.popLast() {
                if await isForOthers(event) { continue }
                return event
            }
            switch feed.next(after: cursor) {
            case .notices(let notices): take(notices)
            case .behind: await catchUp()
            case .none: await feed.wait(after: cursor)
            case .ended: return nil
            }
        }
        return nil
    }

    /// What another listener has not acknowledged.
    private func isForOthers(_ event: ReloadEvent) async -> Bool {
        guard filter.acknowledges, case .notice(let notice, _) = event, notice.isRepeated else {
            return false
        }
        return await source.isAcknowledged(notice.kind)
    }

    /// The newest notice of each document and kind that has come since the last call, in order; waits for
    /// one. None after a gap; `nil` once the bridge is closed.
    package func nextNewest() async -> [ReloadEvent]? {
        var event = await next()
        if event == nil { return nil }
        var newest: [ReloadEvent] = []
        while let one = event {
            if case .notice(let notice, _) = one {
                newest.removeAll { $0.isAbout(notice.document, notice.kind) }
                newest.append(one)
            }
            event = takeReady()
        }
        return newest
    }

    /// What need not be waited for.
    private func takeReady() -> ReloadEvent? {
        while pending.isEmpty, case .notices(let notices) = feed.next(after: cursor) { take(notices) }
        return pending.popLast()
    }

    private func start() async {
        hasStarted = true
        guard let since = filter.since else { return await takeCurrent(afterGap: false) }
        guard let position = ReloadEvent.position(at: since), position.instance == instance,
            position.sequence <= feed.last
        else { return await takeCurrent(afterGap: true) }
        cursor = position.sequence
    }

    private func catchUp() async {
        guard let notices = await source.notices(after: cursor), !notices.isEmpty else {
            return await takeCurrent(afterGap: true)
        }
        take(notices)
    }

    private func take(_ notices: [Notice]) {
        cursor = notices.last?.sequence ?? cursor
        pending = notices.filter(filter.admits).reversed().map { .notice($0, instance: instance) }
    }

    /// Sends every current document and kind. Only the last event has the cursor of this state: a subscriber
    /// that disconnects before it starts again.
    private func takeCurrent(afterGap isGap: Bool) async {
        guard let (last, current) = await source.currentNotices() else { return }
        cursor = last
        var notices = current.filter(filter.admits)
        if !notices.isEmpty { notices[notices.count - 1].sequence = last }
        pending = notices.reversed().map { .notice($0, instance: instance) }
        if isGap { pending.append(.gap(instance: instance, sequence: 0)) }
    }
}

extension ReloadEvent {
    fileprivate func isAbout(_ document: RelativePath, _ kind: String) -> Bool {
        guard case .notice(let notice, _) = self else { return false }
        return notice.document == document && notice.kind == kind
    }
}
