import FoundationEssentials
import Glibc
import RaceLab

/// The saved schedules and races of a directory, or a single one.
struct SavedRaces {
    let path: String
    private let files: [String]

    /// Takes the `*.json` files of the directory itself, without hidden ones, by name.
    init(_ path: String) throws(RaceError) {
        self.path = path
        guard NamedFile.isDirectory(path) else {
            files = [path]
            return
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            throw .file(.cannotRead(path, errno: EACCES))
        }
        let saved = names.filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.sorted()
        if saved.isEmpty { throw .emptyDirectory(path) }
        files = saved.map { path.hasSuffix("/") ? path + $0 : "\(path)/\($0)" }
    }

    /// - Parameters:
    ///   - disk: where schedules that were recorded on real files are run.
    ///   - updates: whether to record the steps anew where they differ and no anomaly is found.
    func replayed(on disk: StageOptions, updates: Bool, isStopped: () -> Bool) -> Corpus {
        var corpus = Corpus(path: path, files: files.count)
        for file in files {
            if isStopped() { break }
            var entry = Corpus.Entry(file: file)
            do {
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
