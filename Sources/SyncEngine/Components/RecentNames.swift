package import Model

/// Names with the time at which something happened to them last; each is forgotten after `span`.
package struct RecentNames: Sendable {
    private let span: Duration
    private var times: [RelativePath: Duration] = [:]
    /// In order of time. An entry whose time is not the name's current one no longer counts.
    private var order: [(path: RelativePath, time: Duration)] = []

    package init(for span: Duration) { self.span = span }

    package var count: Int { times.count }

    package func contains(_ path: RelativePath, at now: Duration) -> Bool {
        times[path].map { now < $0 + span } ?? false
    }

    package mutating func add(_ path: RelativePath, at now: Duration) {
        guard times.updateValue(now, forKey: path) != now else { return }
        order.append((path, now))
    }

    /// `true` if it was known.
    @discardableResult
    package mutating func remove(_ path: RelativePath) -> Bool { times.removeValue(forKey: path) != nil }

    /// Drops the names whose time is over, and returns them.
    @discardableResult
    package mutating func pass(to now: Duration) -> [RelativePath] {
        let old = order.prefix { $0.time + span <= now }
        guard !old.isEmpty else { return [] }
        let over = old.filter { times[$0.path] == $0.time }.map(\.path)
        order.removeFirst(old.count)
        for path in over { times[path] = nil }
        return over
    }
}
