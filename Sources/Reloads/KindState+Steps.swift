import Model

extension KindState {
    /// How long before it becomes stale what is shown is replaced, in milliseconds.
    private static let margin: Int64 = 1000

    mutating func change(_ name: RelativePath, to new: Projection, _ rules: KindRules, at now: Int64) {
        let place = documents.index(forKey: name)
        if place == nil, new == .missing {
            counts.invisible += 1
            return
        }
        let old = place.map { documents.values[$0] } ?? Document()
        var document = old
        document.current = new
        let isOlder = document.isOlder
        if isOlder { document.shown.staleAt = new.staleAt }
        if let place {
            documents.values[place] = document
        } else {
            documents[name] = document
        }
        // A set is slow, and most changes leave it as it is.
        if old.isMoved != document.isMoved {
            if old.isMoved { moved.remove(name) } else { moved.insert(name) }
        }
        changed -= old.isChanged ? 1 : 0
        if isOlder { staleAt = earliestStaleAt(\.shown, rules, reloaded: reloadedAt ?? now) }
        if new.looksLike(old.shown) {
            counts.invisible += 1
            if changed == 0, wish?.reason == .change { wish = nil }
        } else {
            changed += 1
            ask(.change, rules, at: now)
        }
        if new.staleAt != old.current.staleAt { planFreshening(rules) }
    }

    /// What is due now: asks, then a reload, then what became stale without one.
    mutating func settle(
        _ rules: KindRules,
        isExempt: Bool,
        at now: Int64,
        _ grants: inout [ReloadGrant]
    ) {
        askOnSchedule(rules, at: now)
        if wish == nil, freshenAt <= now { ask(.freshness, rules, at: now) }
        if let wish, wish.due <= now {
            if isExempt || takeSlot(rules, at: now) {
                if isExempt, limit(rules) != nil { counts.exempt += 1 }
                grants.append(grant(wish, rules, at: now))
            } else if !wish.isWaiting {
                self.wish?.isWaiting = true
                counts.delayed += 1
            }
        }
        if let retry = rules.retry, let told = acknowledgements?.settle(rules.kind, retry, at: now) {
            grants.append(told)
        }
        // It no longer is after a clock that was wrong is put back.
        if isStale != (staleAt <= now) {
            let state = shownState
            isStale.toggle()
            if shownState != state { grants.append(ReloadGrant(kind: rules.kind, at: now, cause: .time)) }
        }
    }

    /// When `settle` will have something to do; `nil` if nothing but a change can cause that.
    func deadline(_ rules: KindRules) -> Int64? {
        var next = isStale ? Int64.max : staleAt
        if !widgets.isEmpty, !rules.daily.isEmpty { next = min(next, nextDaily ?? .min) }
        if !widgets.isEmpty, let every = rules.every { next = min(next, askedAt.map { $0 + every } ?? .min) }
        if rules.retry != nil, let open = acknowledgements?.open { next = min(next, open.due) }
        if let wish {
            next = min(next, wish.isWaiting ? slotFree(rules) ?? .max : wish.due)
        } else {
            next = min(next, freshenAt)
        }
        return next == .max ? nil : next
    }

    private mutating func ask(_ reason: Wish.Reason, _ rules: KindRules, at now: Int64) {
        counts.asks += 1
        let coalesce = rules.coalesce(isPlaced: !widgets.isEmpty)
        if wish != nil {
            counts.coalesced += 1
        } else {
            wish = Wish(reason: reason, due: max(now, reloadedAt.map { $0 + coalesce } ?? now))
        }
    }

    private mutating func askOnSchedule(_ rules: KindRules, at now: Int64) {
        // Only a widget asks by itself.
        if widgets.isEmpty { return }
        var isDue = false
        if let every = rules.every, askedAt.map({ $0 + every <= now }) ?? true { isDue = true }
        if !rules.daily.isEmpty {
            let next = nextDaily ?? rules.nextDaily(after: now - 1000)
            isDue = isDue || next <= now
            nextDaily = next <= now ? rules.nextDaily(after: now) : next
        }
        guard isDue else { return }
        askedAt = now
        ask(.schedule, rules, at: now)
    }

    private mutating func grant(_ wish: Wish, _ rules: KindRules, at now: Int64) -> ReloadGrant {
        var grant = ReloadGrant(kind: rules.kind, at: now, cause: wish.cause, isDelayed: wish.isWaiting)
        for name in moved {
            guard let place = documents.index(forKey: name) else { continue }
            if documents.values[place].isChanged { grant.documents.append(name) }
            if documents.values[place].current == .missing {
                documents.remove(at: place)
            } else {
                documents.values[place].shown = documents.values[place].current
            }
        }
        if grant.documents.count > 1 { grant.documents.sort() }
        moved.removeAll(keepingCapacity: true)
        changed = 0
        self.wish = nil
        (reloadedAt, askedAt) = (now, now)
        staleAt = earliestStaleAt(\.current, rules, reloaded: now)
        isStale = staleAt <= now
        freshenAt = .max
        counts.granted += 1
        if let retry = rules.retry { acknowledgements?.begin(grant, retry) }
        return grant
    }

    /// The kind shows this document already. One that it knows is judged anew, as the profile, or when it was
    /// saved, is another than before.
    mutating func know(_ name: RelativePath, as new: Projection, _ rules: KindRules, at now: Int64) {
        if let place = documents.index(forKey: name), documents.values[place].isChanged {
            // A reload will show it.
            let known = documents.values[place].current
            documents.values[place].current = new
            documents.values[place].current.content = known.content
            documents.values[place].current.state = known.state
        } else {
            documents[name] = Document(shown: new, current: new)
            moved.remove(name)
        }
        judge(rules, at: now)
    }

    /// The kind no longer shows this document.
    mutating func drop(_ name: RelativePath, _ rules: KindRules, at now: Int64) {
        guard let old = documents.removeValue(forKey: name) else { return }
        moved.remove(name)
        changed -= old.isChanged ? 1 : 0
        if changed == 0, wish?.reason == .change { wish = nil }
        judge(rules, at: now)
    }

    private mutating func judge(_ rules: KindRules, at now: Int64) {
        staleAt = earliestStaleAt(\.shown, rules, reloaded: reloadedAt ?? now)
        isStale = staleAt <= now
        planFreshening(rules)
    }

    private mutating func planFreshening(_ rules: KindRules) {
        guard staleAt != .max else { return }
        // Before the first reload a document without a time of its own is as old as can be.
        let isNewer = earliestStaleAt(\.current, rules, reloaded: reloadedAt ?? 0) > staleAt
        freshenAt = isNewer ? staleAt == .min ? .min : staleAt - Self.margin : .max
    }

    /// When it becomes stale if it shows the documents so.
    private func earliestStaleAt(
        _ projection: KeyPath<Document, Projection>,
        _ rules: KindRules,
        reloaded: Int64
    ) -> Int64 {
        let own = rules.staleAfter.map { reloaded + $0 } ?? .max
        if documents.isEmpty { return own }
        return documents.values.reduce(.max) { earliest, document in
            let projection = document[keyPath: projection]
            return projection.content == nil ? earliest : min(earliest, projection.staleAt ?? own)
        }
    }
}
