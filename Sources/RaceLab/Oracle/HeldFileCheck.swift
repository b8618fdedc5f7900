import Model

/// Finds programs that come back to a file whose name another one has taken: what they read is never new.
struct HeldFileCheck {
    let history: History
    let evidence: Evidence
    /// A program may finish what it reads in this time.
    let patience: Duration

    func anomalies() -> [Anomaly] {
        var found: Set<String> = []
        return evidence.calls.indices.compactMap { number in
            let call = evidence.calls[number]
            guard isOld(call), let file = call.step.call.paths.first, !found.contains(file),
                let anomaly = anomaly(number, file)
            else { return nil }
            found.insert(file)
            return anomaly
        }
    }

    private func isOld(_ call: Evidence.Call) -> Bool {
        call.step.call.kind == .read && call.step.call.isOfReplaced && call.player != .bridge
    }

    private func anomaly(_ number: Int, _ file: String) -> Anomaly? {
        let call = evidence.calls[number]
        guard let change = replacement(of: file, before: call), let document = history.steps[change].document
        else { return nil }
        let age = call.time - history.steps[change].time
        guard age > patience, comesBack(number, to: file, since: change) else { return nil }
        let lane = ObservedHistory.Lane(call.player).rawValue
        var evidence = Anomaly.Evidence()
        evidence.versions = [history.steps[change].before, history.steps[change].version].compactMap(\.self)
        evidence.culpritLane = lane
        evidence.age = age
        return Anomaly(
            kind: .staleRead,
            document: document,
            side: history.steps[change].side,
            lane: lane,
            steps: change...max(change, call.number - 1),
            evidence: evidence,
            sentence: "A process of \(history.lanes[lane].name) still read the old file of "
                + "\(history.documents[document]) \(Int(age / .milliseconds(1))) ms after step \(change), which "
                + "had put another one in its place: it must open the file anew."
        )
    }

    /// The step that first put another file in the place of the one that was opened.
    private func replacement(of file: String, before call: Evidence.Call) -> Int? {
        let opening = evidence.calls.last {
            $0.number <= call.number && [.open, .openToWrite].contains($0.step.call.kind)
                && $0.step.call.paths.contains(file)
                && !Set($0.process.line).isDisjoint(with: call.process.line)
        }
        let changes = history.steps.indices.prefix(call.number).filter { number in
            let step = history.steps[number]
            guard step.what == .changed, let side = step.side, let document = step.document else {
                return false
            }
            return "\(side.rawValue)/\(history.documents[document])" == file
        }
        return opening.flatMap { one in changes.first { $0 >= one.number } } ?? changes.last
    }

    /// Whether it read that file before, and slept since: it does not just read on.
    private func comesBack(_ number: Int, to file: String, since change: Int) -> Bool {
        let process = evidence.calls[number].process
        let mine = evidence.calls[..<number].filter { $0.process == process && $0.number > change }
        guard let before = mine.firstIndex(where: { isOld($0) && $0.step.call.paths.first == file }) else {
            return false
        }
        return mine[before...].contains { $0.step.call.kind == .sleep }
    }
}
