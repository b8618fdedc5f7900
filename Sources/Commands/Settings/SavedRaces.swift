import Glibc
import RaceLab

/// The saved schedules and races of a directory, or a single one.
struct SavedRaces {
    let path: String
    private let files: [ScheduleDirectory.File]

    init(_ path: String) throws(RaceError) {
        self.path = path
        guard NamedFile.isDirectory(path) else {
            files = [.path(path)]
            return
        }
        do throws(ScheduleDirectory.ListingError) {
            files = try ScheduleDirectory(path: path).files()
        } catch {
            throw .file(.cannotRead(path, errno: error.errno))
        }
        if files.isEmpty { throw .emptyDirectory(path) }
    }

    /// - Parameters:
    ///   - disk: where schedules that were recorded on real files are run.
    ///   - updates: whether to record the steps anew where they differ and no anomaly is found.
    func replayed(on disk: StageOptions, updates: Bool, isStopped: () -> Bool) -> Corpus {
        var corpus = Corpus(path: path, files: files.count)
        for file in files {
            if isStopped() { break }
            var entry = Corpus.Entry(file: file.description)
            do {
                if case .notUTF8(let name) = file { throw RaceError.file(.nameNotUTF8(name)) }
                // A named pipe would keep it waiting for a writer.
                if NamedFile.isPipe(entry.file) {
                    throw RaceError.file(.cannotRead(entry.file, errno: ENOTSUP))
                }
                try replay(&entry, on: disk)
                if updates, entry.isUnproved { try entry.update() }
            } catch {
                var prose = ErrorProse(error)
                // Status 1 would be an anomaly.
                if prose.status == .failed { prose.status = .undecided }
                entry.result = .failed(prose)
            }
            corpus.entries.append(entry)
        }
        return corpus
    }

    private func replay(_ entry: inout Corpus.Entry, on disk: StageOptions) throws {
        if let race = try savedRace(entry.file) {
            let (settings, report) = try race.replayed()
            entry.recorded = race.anomaly
            entry.result = .race(settings, report)
        } else {
            let saved = try savedSchedule(entry.file)
            let backendKind = saved.layer == 0 ? RaceBackendKind.simulated : try disk.backendKind()
            try saved.check(entry.file, on: backendKind)
            entry.recorded = saved.anomaly
            entry.result = .run(saved, ReplayedRun(saved, on: backendKind))
        }
    }
}

extension Corpus.Entry {
    /// Replaces the recorded steps, and keeps the kind of anomaly that they once showed.
    fileprivate mutating func update() throws {
        let text: String
        switch result {
        case .run(var saved, let run):
            saved.trace = run.picture.saved?.trace
            // An order that cannot be followed is none.
            if case .misfit = run.outcome, let schedule = run.picture.saved?.schedule {
                saved.schedule = schedule
            }
            text = saved.text
        case .race(let settings, let report):
            var race = SavedProcessRace(settings, report)
            race.anomaly = recorded
            text = race.text
        case .failed: return
        }
        try NamedFile.write(Array(text.utf8), to: file, opening: RaceFileKind.schedule.opening)
        isUpdated = true
    }
}
