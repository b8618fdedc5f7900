import Documents
import Model

/// The Live Activities of an app: which run, and until when. Times are in milliseconds since 1970.
///
/// One starts when a threshold is reached, and again with the next one, so that none has to last for days. A
/// system ends it, shows it on the lock screen for a while, and takes little content.
struct LiveActivities: Sendable, Hashable, Codable {
    struct Activity: Sendable, Hashable, Codable {
        var document: RelativePath
        /// Equal for equal contents; two different ones have another one with near certainty.
        var content: UInt64
        var size: Int
        var level: Int?
        var starts: [Int64]
        var endsBy: Int64
        var isOver: Bool
        var lasts: Int64
        /// Starts until then have been looked at.
        var passed: Int64
        var startedAt: Int64?
        var endedAt: Int64?
        /// It was not started, or does not show its content, as that is too large.
        var isTooLarge = false

        var isRunning: Bool { startedAt != nil && endedAt == nil }
        /// It is shown, or may start.
        var isOfUse: Bool { startedAt != nil || !isOver }
    }

    /// By kind and ID.
    private(set) var kinds: [String: [String: Activity]] = [:]

    /// The kind's elements are these from now on.
    ///
    /// - Returns: whether one of them starts, ends, or shows something else.
    mutating func see(
        _ inputs: [LiveActivityInput],
        of rule: LiveActivityRule,
        in document: RelativePath,
        at now: Int64
    ) -> Bool {
        var known = kinds[rule.name] ?? [:]
        var isChanged = false
        for (id, activity) in known where activity.document == document {
            guard !inputs.contains(where: { $0.id == id }) else { continue }
            known[id]?.isOver = true
            isChanged = known[id]?.settle(rises: false, at: now) ?? false || isChanged
        }
        for input in inputs {
            var activity = known[input.id] ?? Activity(input, of: rule, in: document, at: now)
            isChanged = activity.see(input, lasts: rule.lasts, at: now) || isChanged
            known[input.id] = activity
        }
        kinds[rule.name] = known.filter(\.value.isOfUse)
        return isChanged
    }

    /// The kinds of which something starts or ends by now, in order, each with the documents concerned.
    mutating func tick(at now: Int64) -> [(kind: String, documents: [RelativePath])] {
        kinds.keys.sorted().compactMap { kind in
            var documents: Set<RelativePath> = []
            for (id, activity) in kinds[kind] ?? [:] where activity.deadline.map({ $0 <= now }) ?? false {
                if kinds[kind]?[id]?.settle(rises: false, at: now) ?? false {
                    documents.insert(activity.document)
                }
            }
            kinds[kind] = kinds[kind]?.filter(\.value.isOfUse)
            return documents.isEmpty ? nil : (kind, documents.sorted())
        }
    }

    var deadline: Int64? { kinds.values.lazy.flatMap(\.values).compactMap(\.deadline).min() }

    /// Moves what was remembered with a clock that was put back. The times of documents stay.
    mutating func shift(by time: Int64) {
        for kind in kinds.keys {
            for id in kinds[kind]?.keys.sorted() ?? [] {
                if let at = kinds[kind]?[id]?.startedAt { kinds[kind]?[id]?.startedAt = at + time }
                if let at = kinds[kind]?[id]?.endedAt { kinds[kind]?[id]?.endedAt = at + time }
            }
        }
    }
}

extension LiveActivities.Activity {
    /// One that would still run if it had been known when it should have started, starts.
    fileprivate init(
        _ input: LiveActivityInput,
        of rule: LiveActivityRule,
        in document: RelativePath,
        at now: Int64
    ) {
        self.init(
            document: document,
            content: fingerprint(input.content),
            size: input.size,
            level: input.level.map { _ in 0 },
            starts: input.starts,
            endsBy: input.endsBy,
            isOver: input.isOver,
            lasts: rule.lasts,
            passed: now - rule.lasts
        )
    }

    fileprivate mutating func see(_ input: LiveActivityInput, lasts: Int64, at now: Int64) -> Bool {
        let content = fingerprint(input.content)
        let isOther = content != self.content
        // It was too large when it should have started.
        let fitsNow = isTooLarge && startedAt == nil && input.size <= LiveActivityRule.mostContent
        let rises = input.level ?? 0 > (fitsNow ? 0 : level ?? 0)
        if fitsNow { passed = min(passed, now - lasts) }
        (self.content, size, level) = (content, input.size, input.level)
        (starts, endsBy, isOver, self.lasts) = (input.starts, input.endsBy, input.isOver, lasts)
        isTooLarge = isTooLarge && size > LiveActivityRule.mostContent
        let isSettled = settle(rises: rises, at: now)
        guard isRunning, isOther, !isSettled else { return isSettled }
        isTooLarge = size > LiveActivityRule.mostContent
        return !isTooLarge
    }

    /// - Parameter rises: it has reached the next threshold.
    /// - Returns: whether it starts or ends.
    fileprivate mutating func settle(rises: Bool, at now: Int64) -> Bool {
        let isDue = starts.contains { $0 > passed && $0 <= now }
        let last = passed
        passed = max(passed, now)
        if let endedAt, endedAt + Self.afterlife <= now { (startedAt, self.endedAt) = (nil, nil) }
        // An end that was put back to before the last look was not due then.
        if isOver || endsBy <= now { return end(at: endsBy < last ? now : min(endsBy, now)) }
        if rises || isDue {
            isTooLarge = size > LiveActivityRule.mostContent
            guard !isTooLarge else { return false }
            (startedAt, endedAt) = (now, nil)
            return true
        }
        // Its value is below all thresholds again.
        if level == 0 { return end(at: now) }
        if let startedAt, startedAt + lasts <= now { return end(at: startedAt + lasts) }
        return false
    }

    private mutating func end(at time: Int64) -> Bool {
        guard isRunning else { return false }
        endedAt = time
        return true
    }

    fileprivate var deadline: Int64? {
        var next = isOver ? nil : starts.filter { $0 > passed && $0 < endsBy }.min()
        if let startedAt {
            let end = endedAt.map { $0 + Self.afterlife } ?? min(startedAt + lasts, endsBy)
            next = min(next ?? end, end)
        }
        return next
    }

    /// How long one that has ended stays on the lock screen.
    private static let afterlife: Int64 = 4 * 3_600_000
}

extension ReloadPolicy {
    /// A Live Activity, as a person sees it.
    package struct ActivityReport: Sendable, Hashable {
        package var kind: String
        package var id: String
        package var startedAt: Int64?
        /// When it ended, or will end unless it starts anew; `nil` if it has not started.
        package var endsAt: Int64?
        package var hasEnded: Bool
        package var isTooLarge: Bool
    }

    /// Those that run or have just ended, or are too large, by kind and ID.
    package var activities: [ActivityReport] {
        (shared.activities?.kinds ?? [:]).sorted { $0.key < $1.key }.flatMap { kind, known in
            known.sorted { $0.key < $1.key }.compactMap { id, activity in
                guard activity.startedAt != nil || activity.isTooLarge else { return nil }
                let end = activity.startedAt.map { min($0 + activity.lasts, activity.endsBy) }
                return ActivityReport(
                    kind: kind,
                    id: id,
                    startedAt: activity.startedAt,
                    endsAt: activity.endedAt ?? end,
                    hasEnded: activity.endedAt != nil,
                    isTooLarge: activity.isTooLarge
                )
            }
        }
    }
}

/// FNV-1a.
private func fingerprint(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}
