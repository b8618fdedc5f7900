import RaceLab

/// Saved schedules and races, replayed one after the other.
struct Corpus {
    struct Entry {
        enum Result {
            case run(SavedSchedule, ReplayedRun)
            case race(ProcessSettings, ProcessReport)
            case failed(ErrorProse)
        }

        var file: String
        /// The anomaly that it showed when it was saved.
        var recorded: AnomalyKind?
        var result = Result.failed(ErrorProse("not replayed", nil))
        /// Its steps were recorded anew.
        var isUpdated = false
    }

    var path: String
    /// How many there are; some have no entry if the user stopped.
    var files: Int
    var entries: [Entry] = []

    init(path: String, files: Int) {
        self.path = path
        self.files = files
    }

    var status: CommandStatus {
        .heaviest(entries.map(\.status) + [entries.count < files ? .undecided : .done])
    }
}

extension Corpus.Entry {
    var failure: ErrorProse? { if case .failed(let prose) = result { prose } else { nil } }

    /// Causes before their consequences.
    var anomalies: [Anomaly] {
        switch result {
        case .run(_, let run): run.picture.anomalies
        case .race(_, let report): report.observation.judgement.anomalies.causesFirst
        case .failed: []
        }
    }

    /// The history that shows them.
    var history: History {
        switch result {
        case .run(_, let run): run.picture.history
        case .race(_, let report): report.observation.history
        case .failed: History()
        }
    }

    var isSame: Bool {
        switch result {
        case .run(_, let run): run.outcome == .same
        case .race(_, let report): report.replay == .identical
        case .failed: false
        }
    }

    /// No anomaly was found, in other steps than the recorded ones.
    var isUnproved: Bool {
        switch result {
        case .run(_, let run):
            run.picture.anomalies.isEmpty && run.picture.difference != nil
                && run.picture.history.rest?.unrest == nil
        case .race(_, let report): report.observation.verdict == .clean && report.status == .undecided
        case .failed: false
        }
    }

    var status: CommandStatus {
        switch result {
        case .run(_, let run): isUpdated ? .done : run.status
        case .race(_, let report): isUpdated ? .done : report.status
        case .failed(let prose): prose.status
        }
    }

    /// Why there is no verdict, if there is none.
    var undecided: String? {
        guard status == .undecided else { return nil }
        switch result {
        case .run(_, let run): return run.undecided
        case .race(_, let report): return report.undecided
        case .failed(let prose): return prose.text
        }
    }
}

extension ProcessReport {
    var status: CommandStatus {
        CommandStatus(verdict)
    }

    /// Why there is no verdict, if there is none.
    var undecided: String? {
        guard status == .undecided else { return nil }
        if let difference, observation.doubts.isEmpty { return difference }
        return observation.doubts.map(\.text).joined(separator: "; ")
    }
}
