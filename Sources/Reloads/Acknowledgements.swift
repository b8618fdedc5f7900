import Documents
import Model

/// Who must acknowledge the reloads of a kind, and which reload they have not acknowledged yet.
struct Acknowledgements: Sendable, Hashable, Codable {
    struct Open: Sendable, Hashable, Codable {
        /// Those that are waited for.
        var listeners: Set<String>
        var documents: [RelativePath]
        /// The number of its last notice.
        var notice: Int64 = 0
        /// How often it was told.
        var told = 1
        /// When it is told again, in milliseconds since 1970.
        var due: Int64
    }

    /// The name of `present` is that of journals of earlier releases.
    private enum CodingKeys: String, CodingKey { case listeners, present = "lasting", open, failed, gone }

    var listeners: Set<String> = []
    /// Those of the listeners that are there now: they are told of the next reload, whatever they did with
    /// the last one.
    var present: Set<String> = []
    var open: Open?
    /// Those that were told as often as the profile says, and did not acknowledge it.
    var failed: Set<String> = []
    /// Listeners that failed and are not waited for until one says that it is there. `nil`: none.
    var gone: Set<String>?

    mutating func expect(_ listener: String) {
        listeners.insert(listener)
        present.insert(listener)
        gone?.remove(listener)
    }

    /// A new reload takes the place of one that is open.
    mutating func begin(_ grant: ReloadGrant, _ rule: RetryRule) {
        // One that is gone has failed to acknowledge an earlier one.
        failed.formIntersection(listeners)
        if listeners.isEmpty { return }
        let documents = Set(open?.documents ?? []).union(grant.documents).sorted()
        open = Open(listeners: listeners, documents: documents, due: grant.at + rule.after)
    }

    /// The listener is told what the kind shows, and must acknowledge that as it does a reload.
    mutating func beginCurrent(
        _ listener: String,
        _ documents: [RelativePath],
        _ rule: RetryRule,
        at now: Int64
    ) {
        if documents.isEmpty { return }
        guard open == nil else {
            open?.listeners.insert(listener)
            return
        }
        open = Open(listeners: [listener], documents: documents, due: now + rule.after)
    }

    /// What is due is told again, or has failed.
    mutating func settle(_ kind: String, _ rule: RetryRule, at now: Int64) -> ReloadGrant? {
        guard var open, open.due <= now else { return nil }
        guard open.told <= rule.times else {
            failed.formUnion(open.listeners)
            let gone = open.listeners.subtracting(present)
            listeners.subtract(gone)
            self.gone = (self.gone ?? []).union(gone)
            self.open = nil
            return nil
        }
        open.told += 1
        open.due = now + rule.after
        self.open = open
        return ReloadGrant(kind: kind, at: now, cause: .change, documents: open.documents, isRepeated: true)
    }

    mutating func acknowledge(_ listener: String, upTo notice: Int64) {
        failed.remove(listener)
        if gone?.remove(listener) != nil { listeners.insert(listener) }
        guard var open, open.notice <= notice else { return }
        open.listeners.remove(listener)
        self.open = open.listeners.isEmpty ? nil : open
    }

    mutating func forget(_ listener: String) {
        listeners.remove(listener)
        present.remove(listener)
        failed.remove(listener)
        gone?.remove(listener)
        open?.listeners.remove(listener)
        if open?.listeners.isEmpty ?? false { open = nil }
    }
}

extension ReloadPolicy {
    /// From now on this listener acknowledges the reloads of the kind, until it leaves. It has no effect
    /// where the profile does not ask for that.
    ///
    /// - Parameter fromCurrent: it is told first what there is already, which may have been granted before.
    package mutating func expect(_ listener: String, of kind: String, fromCurrent: Bool, at now: Int64) {
        update(kind, at: now) { state, rules in
            guard let retry = rules.retry else { return }
            var known = state.acknowledgements ?? Acknowledgements()
            known.expect(listener)
            if fromCurrent { known.beginCurrent(listener, state.shownDocuments, retry, at: now) }
            state.acknowledgements = known
        }
    }

    /// The listener is not there now. What is open is told again, as it may come back; if it does not, later
    /// reloads do not wait for it.
    package mutating func leave(_ listener: String, of kind: String, at now: Int64) {
        update(kind, at: now) { state, _ in state.acknowledgements?.present.remove(listener) }
    }

    /// The listener will not come back.
    package mutating func forget(_ listener: String, of kind: String, at now: Int64) {
        update(kind, at: now) { state, _ in state.acknowledgements?.forget(listener) }
    }

    /// The last reload of the kind was told with this number.
    package mutating func note(notice: Int64, of kind: String, at now: Int64) {
        update(kind, at: now) { state, _ in
            // Telling it again has a number of its own, but the first one is acknowledged as well.
            guard let open = state.acknowledgements?.open, open.told == 1 else { return }
            state.acknowledgements?.open?.notice = max(open.notice, notice)
        }
    }

    /// The listener has got all notices up to this number.
    package mutating func acknowledge(_ listener: String, of kind: String, upTo notice: Int64, at now: Int64)
    {
        update(kind, at: now) { state, _ in state.acknowledgements?.acknowledge(listener, upTo: notice) }
    }

    package func isPresent(_ listener: String, of kind: String) -> Bool {
        state(of: kind)?.acknowledgements?.present.contains(listener) ?? false
    }

    /// A reload of the kind is not acknowledged yet.
    package func awaits(_ kind: String) -> Bool { state(of: kind)?.acknowledgements?.open != nil }

    /// Whether the listener has acknowledged the last reload of the kind.
    package func isAcknowledged(by listener: String, _ kind: String) -> Bool {
        guard let known = state(of: kind)?.acknowledgements, !known.failed.contains(listener) else {
            return false
        }
        return !(known.open?.listeners.contains(listener) ?? false)
    }

    /// Those that must acknowledge the reloads of the kind, and those that failed to.
    package func listeners(of kind: String) -> Set<String> {
        guard let known = state(of: kind)?.acknowledgements else { return [] }
        return known.listeners.union(known.failed)
    }
}
