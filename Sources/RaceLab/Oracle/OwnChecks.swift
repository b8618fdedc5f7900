package import Model

/// The checks of the user's for real programs.
package struct OwnChecks: Sendable, Hashable {
    /// Run once, when the containers are at rest.
    package var check: String?
    /// Run after every change, on a copy of the documents as they were then.
    package var always: String?
    /// A check that takes longer is ended.
    package var limit = Duration.seconds(10)

    package init() {}

    package var isEmpty: Bool { check == nil && always == nil }

    /// What came of them.
    package struct Results: Sendable, Hashable {
        /// What was asked for.
        package var checks = OwnChecks()
        /// `check` was run.
        package var isChecked = false
        /// The changes after which `always` was run.
        package var runs = 0

        package init() {}
    }

    /// Runs them for what was observed, and adds to the report what they say.
    ///
    /// `always` is run after the observation, on a copy: so it takes no time from the programs, no bridge
    /// takes it for a reader, and it sees every change that was seen, in order. A check that changes
    /// documents judges its own work: what it says does not count.
    ///
    /// - Parameter isDocument: whether a file of that path is a document.
    package func judge(
        _ report: inout ObservationReport,
        in containers: BothSides<String>,
        environment: [String: String] = [:],
        isDocument: (RelativePath) -> Bool,
        isAsked: () -> Bool
    ) {
        report.own.checks = self
        // It inherits this from the lab, by which what it leaves running is found.
        let mark = LabMark()
        defer { mark.end() }
        let environment = environment.merging(mark.environment) { $1 }
        if let always { play(always, &report, environment, isAsked) }
        guard let check, report.history.rest != nil else { return }
        report.own.isChecked = true
        let before = DocumentStates(containers, isDocument: isDocument)
        let outcome = CheckCommand(command: check, limit: limit).run(
            environment.merging(Self.environment(containers)) { $1 },
            isAsked: isAsked
        )
        let changed = DocumentStates(containers, isDocument: isDocument).changed(
            since: before,
            holds: { report.holdsAtRest($0, $1) }
        )
        report.add(changed.isEmpty ? outcome : .undecided(.changed(changed)), of: check, at: nil)
    }

    private func play(
        _ command: String,
        _ report: inout ObservationReport,
        _ environment: [String: String],
        _ isAsked: () -> Bool
    ) {
        guard let copy = ContainerCopy(report.history) else {
            return report.noticed.append(.check(command: command, .noCopy))
        }
        let environment = environment.merging(Self.environment(copy.containers)) { $1 }
        let check = CheckCommand(command: command, limit: limit)
        for (number, step) in report.history.steps.enumerated() where step.what == .changed {
            guard copy.follow(step) else {
                return report.noticed.append(.check(command: command, .noCopy))
            }
            report.own.runs += 1
            var outcome = check.run(environment, isAsked: isAsked)
            let changed = copy.changed
            if !changed.isEmpty { outcome = .undecided(.changed(changed)) }
            guard outcome == .holds else { return report.add(outcome, of: command, at: number) }
        }
    }

    private static func environment(_ containers: BothSides<String>) -> [String: String] {
        ["WIDGETBRIDGE_APP": containers.app, "WIDGETBRIDGE_GROUP": containers.group]
    }
}

extension ObservationReport {
    /// Whether a document had these bytes, or none, at rest.
    fileprivate func holdsAtRest(_ file: Location, _ bytes: [UInt8]?) -> Bool {
        guard let side = file.side, let rest = history.rest,
            let document = history.documents.firstIndex(of: file.path)
        else { return false }
        let version = rest.versions[document][side]
        return bytes == (version == History.absent ? nil : history.versions[version].bytes)
    }

    /// The check that holds at rest is better than what the contents leave open.
    private mutating func decide() {
        guard isLossOpen || noticed.contains(where: \.isLeftToCheck) else { return }
        noticed.removeAll(where: \.isLeftToCheck)
        let isOpen = isLossOpen || skipped[.lostUpdate] == .undecided
        if !noticed.contains(where: { $0.kind == .lostUpdate }), isOpen {
            skipped[.lostUpdate] = .leftToCheck
        }
    }

    /// - Parameter number: the step after which it was run; `nil`: at rest.
    fileprivate mutating func add(_ outcome: CheckCommand.Outcome, of command: String, at number: Int?) {
        switch outcome {
        case .holds: if number == nil { decide() }
        case .undecided(let trouble): noticed.append(.check(command: command, trouble))
        case .fails(let words):
            var anomaly = Anomaly.refused(words ?? "`\(command)` ended with status 1.", history)
            if let number {
                anomaly.document = history.steps[number].document ?? 0
                anomaly.side = history.steps[number].side
                anomaly.lane = history.steps[number].lane
                anomaly.steps = number...number
            }
            judgement.anomalies.append(anomaly)
        }
    }
}
