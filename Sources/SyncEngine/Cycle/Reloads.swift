import Documents
import Model
import Reloads
import Replica
import StateStore

/// When widgets reload, between a committed change and its notices.
extension Engine {
    /// When to call `turn` for widgets, on the scale of the wall clock, in milliseconds since 1970.
    package var reloadDeadline: Int64? { journal.isFull ? nil : reloads.deadline }

    /// The next time to call `turn` for anything, if the wall clock is not set before.
    package func deadline(from now: Moment) -> Duration? {
        let wait = reloadDeadline.map { now.uptime + .milliseconds(max(0, $0 - now.unixMilliseconds)) }
        return [deadline, wait].compactMap(\.self).min()
    }

    package func isReloadDue(at now: Moment) -> Bool {
        !journal.isFull && reloads.isDue(at: now) || journal.hasNotices
    }

    /// Which kinds reload at once for a change, and what else the policy grants with it.
    mutating func granted(
        _ path: RelativePath,
        from before: JSON?,
        to after: JSON?,
        _ cause: Cause,
        saved: Int64,
        at now: Moment
    ) -> (kinds: [String], others: [ReloadGrant]) {
        let (kinds, others) = reloads.change(
            path,
            from: before,
            to: after,
            rule(for: path),
            cause,
            saved: saved,
            at: now
        )
        return (kinds, others + activities(in: path, after, at: now))
    }

    private mutating func activities(in path: RelativePath, _ document: JSON?, at now: Moment)
        -> [ReloadGrant]
    {
        let rule = rule(for: path)
        return rule.activities.flatMap { activity in
            let inputs = activity.inputs(of: document, zone: rule.zone)
            return reloads.see(inputs, of: activity, in: path, at: now)
        }
    }

    /// The document has the same content, and its file another time, or it may be in another state by now.
    mutating func recordTouch(_ path: RelativePath, _ cause: Cause = .group, at now: Moment) {
        let rule = rule(for: path)
        let kinds = rule.kinds.filter { reloads.projection(of: path, in: $0.name) != nil }
        // A file whose signature is not trusted yet is looked at again.
        guard rule.staleness != nil || cause == .time, !kinds.isEmpty,
            let saved = records[path]?.sides.group.signature?.saved,
            let document = agreedDocument(path)
        else { return }
        for kind in kinds {
            let new = reloads.projection(
                of: document,
                from: document,
                path,
                in: kind,
                rule,
                saved: saved,
                at: now
            )
            if new == reloads.projection(of: path, in: kind.name) { continue }
            notify(reloads.change(kind.name, document: path, to: new, cause: cause, at: now), at: now)
        }
    }

    /// Notifies of reloads that are due because time has passed.
    mutating func notifyReloads(at now: Moment) {
        if !reloads.isSeeded { seedReloads(at: now) }
        if reloads.isDue(at: now) {
            for path in reloads.takeStateChanges(at: now) { recordTouch(path, .time, at: now) }
            notify(reloads.tick(at: now), at: now)
        }
        notifyHindrances(at: now)
    }

    /// Notifies of documents whose content for widgets differs from the last synced one, or is that again.
    private mutating func notifyHindrances(at now: Moment) {
        let changes = holds.takeShownChanges().filter { profile?.named($0.document.description) != nil }
        if changes.isEmpty { return }
        for (path, isSynced) in changes {
            for kind in rule(for: path).kinds {
                // The kind has a notice of the new content.
                if isSynced, journal.notifies(kind.name, of: path) { continue }
                let time = now.unixMilliseconds
                let grant = ReloadGrant(kind: kind.name, at: time, cause: .time, documents: [path])
                notify([grant], at: now)
            }
        }
        journal.write(at: now.uptime)
    }

    /// A notice is sent only once the journal has the reload, and the slots that the reload uses.
    mutating func writeReloads(at now: Moment) {
        let entries = reloads.takeUnwritten()
        guard !entries.isEmpty else { return }
        journal.add(entries)
        journal.write(at: now.uptime)
    }

    /// A reload that follows no change of this moment has an event of its own.
    mutating func notify(_ grants: [ReloadGrant], at now: Moment) {
        for grant in grants {
            let paths = grant.documents.isEmpty ? reloads.documents(of: grant.kind) : grant.documents
            for path in paths {
                guard let event = event(grant, path, at: now) else { continue }
                journal.add([.event(event)])
                reloads.record(event, at: now)
                counters.notices += 1
            }
        }
    }

    private mutating func event(_ grant: ReloadGrant, _ path: RelativePath, at now: Moment) -> JournalEvent? {
        let record = records[path]
        // The generation of a deleted document is in the journal. If the journal cannot be read, there is no
        // notice: a generation must not decrease.
        guard let last = record.map({ [path: $0.generation] }) ?? (try? journal.lastGenerations(of: [path]))
        else { return nil }
        let generation = last[path] ?? 0
        // A document that was never in sync can be held, and be no longer held.
        guard generation > 0 || grant.cause == .time else { return nil }
        var cause = Cause.time
        if grant.cause == .change, !grant.documents.isEmpty {
            let known = reloads.takeCause(of: path, grant.kind)
            cause = known ?? (try? journal.events(of: path))?.last?.cause ?? .app
        }
        return JournalEvent(
            document: path,
            generation: generation,
            cause: cause,
            what: grant.isRepeated ? .reloadedAgain : grant.isDelayed ? .reloadedLate : .reloaded,
            hashes: BothSides { holds.digest(of: path, on: $0, record) },
            at: now.unixMilliseconds,
            firstNotice: journal.nextNotice,
            kinds: [grant.kind]
        )
    }

    /// What was synced before a kind had a policy is taken as shown. The profile may have changed since then.
    private mutating func seedReloads(at now: Moment) {
        dropDocuments(at: now, alsoGone: false)
        for path in records.keys.sorted() {
            seedReloads(of: path, at: now)
            guard !rule(for: path).activities.isEmpty, let document = agreedDocument(path) else { continue }
            notify(activities(in: path, document, at: now), at: now)
        }
        reloads.markSeeded()
    }

    /// In the newest version; `nil` if there is none, or it cannot be read.
    private func agreedDocument(_ path: RelativePath) -> JSON? {
        guard let agreed = try? agreed(on: path) else { return nil }
        return try? JSON(parsing: agreed.content.newest, limits: .unbounded)
    }

    mutating func seedReloads(of path: RelativePath, at now: Moment) {
        let rule = rule(for: path)
        seed(rule.kinds.filter { reloads.governs($0.name) }, with: path, at: now)
    }

    /// What all kinds show now, for a report: also those that the policy does not govern, by the profile and
    /// the group's files as they are. Without an agent, the policy knows neither.
    mutating func seedAllReloads(at now: Moment) {
        dropDocuments(at: now, alsoGone: true)
        for path in records.keys.sorted() where !isGone(path) {
            let isNamed = profile?.named(path.description) != nil
            let kinds = rule(for: path).kinds.filter { isNamed || reloads.governs($0.name) }
            seed(kinds, with: path, unsynced(path, at: now), at: now)
        }
    }

    /// What the group has of a document that is held, or waits; `nil` if that was synced, or cannot be read.
    func unsynced(_ path: RelativePath, at now: Moment) -> (shown: ShownDocument, saved: Int64)? {
        guard case .other? = holds.found[path], case .content(let seen) = content(.group, path) else {
            return nil
        }
        let saved = seen.signature.saved
        let setting = reloads.setting(at: now)
        return (ShownDocument(of: seen.bytes, rule(for: path), saved: saved, in: setting), saved)
    }

    /// The group's document does not exist, and the engine has not taken that over.
    private func isGone(_ path: RelativePath) -> Bool {
        guard records[path] != nil else { return false }
        do { return try replicas.group.signature(of: path, isKnown: true) == nil } catch { return false }
    }

    /// Removes documents from the kinds that, by the profile, no longer show them.
    private mutating func dropDocuments(at now: Moment, alsoGone: Bool) {
        for (path, kind) in reloads.documents {
            let isShown = rule(for: path).kinds.contains { $0.name == kind }
            if isShown, !(alsoGone && isGone(path)) { continue }
            notify(reloads.drop(path, from: kind, at: now), at: now)
        }
    }

    /// - Parameter found: `nil`: what was synced last.
    private mutating func seed(
        _ kinds: [WidgetKind],
        with path: RelativePath,
        _ found: (shown: ShownDocument, saved: Int64)? = nil,
        at now: Moment
    ) {
        // A document that cannot be read becomes known with its next change.
        guard !kinds.isEmpty, let document = found?.shown.document ?? agreedDocument(path) else { return }
        let rule = rule(for: path)
        let known = records[path]?.sides.group.signature?.saved
        let saved = found?.saved ?? known ?? now.unixMilliseconds
        for kind in kinds {
            let shown = reloads.projection(of: document, in: kind, rule, saved: saved, at: now)
            notify(reloads.find(path, of: kind.name, as: shown, at: now), at: now)
        }
    }
}

extension Signature {
    /// In milliseconds since 1970. The age of a document is counted from there.
    var saved: Int64 { modified / 1_000_000 }
}
