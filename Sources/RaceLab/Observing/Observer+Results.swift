import Documents
import Model

extension Observer {
    func observation(isAtRest: Bool) -> ObservationReport {
        let duration = now
        let copies = Self.contents(of: settings.copies)
        sightings.keep(copies: copies, trash: Self.contents(of: settings.trash))
        let history = sightings.finish(
            isAtRest: isAtRest,
            hasProfile: settings.profile != nil,
            rule: rule
        )
        let isSame = sameness(history)
        var evidence = sightings.evidence
        evidence.copies = copies ?? []
        let resting = isAtRest ? restingLocks?.inodes ?? [] : []
        evidence.locked = Set(sightings.locks.filter { !$0.value.isSubset(of: resting) }.keys)
        let judged = JudgedObservation(
            history,
            evidence,
            patience: settings.patience,
            rule: { self.rule(for: history.documents[$0]) },
            isSame: isSame
        )
        return ObservationReport(
            history: judged.history,
            judgement: judged.judgement,
            latencies: Latencies(of: history, isSame: isSame),
            duration: duration,
            changes: sightings.changes,
            looks: looks,
            reads: reads.judged(history, isSame: isSame),
            whyHearable: whyHearable,
            noticed: doubts + unlistedLines + sightings.unfoundedDoubts + judged.doubts,
            unseenReloads: sightings.unseenReloads,
            reloads: reloads == nil ? nil : notices,
            unseenSaves: evidence.unseenSaves,
            skipped: judged.skipped,
            ungated: evidence.ungated,
            lanes: evidence.lanes,
            copies: names(of: settings.copies)
        )
    }

    private func names(of directory: String?) -> [String]? {
        directory.map { directory in
            RealTree.files(beneath: directory).map { String($0.dropFirst(directory.utf8.count + 1)) }.sorted()
        }
    }

    private static func contents(of directory: String?) -> [[UInt8]]? {
        directory.map { RealTree.files(beneath: $0).compactMap(RealTree.read) }
    }

    /// Compares each pair of texts once.
    private func sameness(_ history: History) -> (Int, Int, Int) -> Bool {
        struct Pair: Hashable {
            var document: Int
            var one: Int
            var other: Int
        }
        var known: [Pair: Bool] = [:]
        return { document, one, other in
            let pair = Pair(document: document, one: one, other: other)
            if let answer = known[pair] { return answer }
            let sides = BothSides(app: one, group: other)
            let rule = self.rule(for: history.documents[document])
            let answer = whyUnequal(sides, history.versions, rule) == nil
            known[pair] = answer
            return answer
        }
    }
}
