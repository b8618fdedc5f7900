import Model

/// What the policy remembers of one kind.
package struct KindState: Sendable, Hashable, Codable {
    struct Document: Sendable, Hashable, Codable {
        /// As of the last reload.
        var shown = Projection.missing
        var current = Projection.missing

        var isMoved: Bool { current != shown }
        var isChanged: Bool { !current.looksLike(shown) }
        /// What is shown is older than it was said to be.
        var isOlder: Bool { !isChanged && (current.staleAt ?? .max) < (shown.staleAt ?? .max) }
    }

    /// A reload that has been asked for and not been granted. It will show the newest state.
    struct Wish: Sendable, Hashable, Codable {
        enum Reason: String, Sendable, Hashable, Codable {
            case change, schedule
            /// What is shown would become stale, and the document is newer.
            case freshness
        }

        var reason: Reason
        /// When it is granted if there is a slot.
        var due: Int64
        /// There was none then.
        var isWaiting = false

        var cause: ReloadGrant.Cause { reason == .schedule ? .schedule : .change }
    }

    /// Since the policy began.
    package struct Counts: Sendable, Hashable, Codable {
        /// Visible changes, and what the kind asked for by itself.
        package var asks = 0
        package var granted = 0
        /// Asks that another one's reload answered.
        package var coalesced = 0
        /// Changes that the kind does not show.
        package var invisible = 0
        /// Reloads that had to wait for a slot.
        package var delayed = 0
        /// Reloads that would have used a slot if the app had not been active.
        package var exempt = 0
    }

    @ByName var documents: [RelativePath: Document] = [:]
    /// Documents that differ from what is shown, if only in when they become stale.
    var moved: Set<RelativePath> = []
    /// How many of them have another content.
    var changed = 0
    var wish: Wish?
    var reloadedAt: Int64?
    /// When it last asked for a reload by itself, or got one.
    var askedAt: Int64?
    var nextDaily: Int64?
    /// When what is shown becomes stale.
    var staleAt: Int64 = .max
    /// When a reload is needed to prevent that, if a document is newer.
    var freshenAt: Int64 = .max
    var isStale = false
    var widgets: [String: PlacedWidget] = [:]
    /// For a kind with a budget and without placed widgets.
    var own = SlotWindow()
    var counts = Counts()
    /// `nil`: none must be acknowledged.
    var acknowledgements: Acknowledgements?

    /// A reload is late: it waits for a slot, and what is shown is stale, or nothing says when it will be.
    var isFrozen: Bool { wish?.isWaiting == true && (isStale || staleAt == .max) }
}

/// What a kind shows, as of its last reload.
package enum ShownState: String, Sendable, Hashable, Codable {
    case fresh, stale, error
    case noData = "nodata"
    /// There is a document, and it cannot be read.
    case locked
    /// The document's version is newer than the profile knows.
    case incompatible
}

extension KindState {
    var shownState: ShownState {
        let shown = documents.values.map(\.shown).filter { $0.content != nil && $0.isEmpty != true }
        if shown.isEmpty { return .noData }
        return shown.contains(where: \.isError) ? .error : isStale ? .stale : .fresh
    }

    /// In order.
    var shownDocuments: [RelativePath] {
        documents.filter { $0.value.shown.content != nil }.keys.sorted()
    }
}

// MARK: Slots

extension KindState {
    /// `nil` if its reloads are not limited.
    func limit(_ rules: KindRules) -> Int? { rules.limit(isPlaced: !widgets.isEmpty) }

    /// The most slots that are used, of all placed widgets.
    var used: Int { widgets.isEmpty ? own.used : widgets.values.map(\.slots.used).max() ?? 0 }

    /// When every placed widget has a free slot: `Int64.min` now, `nil` never.
    func slotFree(_ rules: KindRules) -> Int64? {
        guard let limit = limit(rules) else { return .min }
        if widgets.isEmpty { return own.free(of: limit) }
        var latest = Int64.min
        for widget in widgets.values {
            guard let free = widget.slots.free(of: limit) else { return nil }
            latest = max(latest, free)
        }
        return latest
    }

    /// The widgets for whose slots a reload waits, in order.
    func blockingWidgets(_ rules: KindRules) -> [String] {
        guard wish?.isWaiting == true, let limit = limit(rules) else { return [] }
        return widgets.filter { $0.value.slots.free(of: limit) != .min }.keys.sorted()
    }

    /// Whether there was a free slot in every placed widget, which is used now.
    mutating func takeSlot(_ rules: KindRules, at now: Int64) -> Bool {
        guard limit(rules) != nil else { return true }
        expireSlots(at: now)
        guard slotFree(rules) == .min else { return false }
        updateSlots { $0.use(at: now) }
        return true
    }

    mutating func expireSlots(at now: Int64) {
        updateSlots { $0.expire(at: now) }
    }

    /// Not with `indices`: they would share the slots, so that all of them would be copied.
    private mutating func updateSlots(_ update: (inout SlotWindow) -> Void) {
        update(&own)
        var place = widgets.startIndex
        while place < widgets.endIndex {
            update(&widgets.values[place].slots)
            widgets.formIndex(after: &place)
        }
    }

    /// Moves all that was remembered with a clock that was put back, so that it is as long ago as before.
    mutating func shift(by time: Int64) {
        wish?.due += time
        acknowledgements?.open?.due += time
        if let reloadedAt { self.reloadedAt = reloadedAt + time }
        if let askedAt { self.askedAt = askedAt + time }
        updateSlots { $0.shift(by: time) }
        // The same time of day may come again, unless the clock was only corrected.
        if time <= -Self.longestCorrection { nextDaily = nil }
    }

    /// In milliseconds.
    private static let longestCorrection: Int64 = 3_600_000
}
