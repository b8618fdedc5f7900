import FileSystem
package import Model

/// The log files of migrations: `migrations/N.log` in the state directory.
enum MigrationStore {
    static let directory = "migrations"
    static let suffix = ".log"
    /// The suffix of a file that records the end of a run.
    static let end = ".done"
    /// The suffix of a file with which older releases recorded that this run, and all before it, are
    /// finished.
    static let finished = ".finished"
    /// Far more than a log can have.
    static let limit = 1 << 30

    static func path(_ name: String) -> RelativePath {
        guard let path = RelativePath("\(directory)/\(name)") else { preconditionFailure("a plain name") }
        return path
    }

    static func number(of name: String, _ suffix: String) -> Int? {
        name.hasSuffix(suffix) ? Int(name.dropLast(suffix.count)) : nil
    }
}

/// What became of a run's file.
private struct Lines {
    private let isUnderstood: Bool
    private let hasLine: Bool
    private let isWhole: Bool

    init(isUnderstood: Bool, bytes: [UInt8]) {
        self.isUnderstood = isUnderstood
        (hasLine, isWhole) = (bytes.contains(0x0A), bytes.last == 0x0A)
    }

    /// A killed run may have left part of a line, which records no completed step.
    func isDamaged(isEnded: Bool) -> Bool { isUnderstood ? isEnded && !isWhole : isEnded || hasLine }
}

extension StateDirectory {
    package func migrationHistory() throws(FileError) -> MigrationHistory {
        guard let directory = RelativePath(MigrationStore.directory) else { return MigrationHistory() }
        let entries: [DirectoryEntry]
        do { entries = try files.list(Directory(.state, directory)) } catch .noDirectory {
            return MigrationHistory()
        }
        var history = MigrationHistory()
        var ended: Set<Int> = []
        var lines: [Int: Lines] = [:]
        for entry in entries {
            let name = String(decoding: entry.bytes, as: UTF8.self)
            if let number = MigrationStore.number(of: name, MigrationStore.end) { ended.insert(number) }
            if let number = MigrationStore.number(of: name, MigrationStore.finished) {
                history.lastFinished = max(history.lastFinished, number)
            }
            guard let number = MigrationStore.number(of: name, MigrationStore.suffix) else { continue }
            history.lastNumber = max(history.lastNumber, number)
            guard let path = RelativePath.child(of: directory, name) else { continue }
            let bytes = try files.contents(of: Location(.state, path), limit: MigrationStore.limit)
            if let run = MigrationRun(number: number, bytes: bytes) { history.runs.append(run) }
            let isUnderstood = history.runs.last?.number == number
            lines[number] = Lines(isUnderstood: isUnderstood, bytes: bytes)
        }
        history.damaged = lines.filter { $1.isDamaged(isEnded: ended.contains($0)) }.keys.sorted()
        history.runs.sort { $0.number < $1.number }
        for index in history.runs.indices {
            history.runs[index].isEnded = ended.contains(history.runs[index].number)
        }
        return history
    }

    /// Records that the run completed.
    package func end(_ run: MigrationRun) throws(FileError) {
        let place = Location(.state, MigrationStore.path("\(run.number)\(MigrationStore.end)"))
        try files.create(place, holding: [], synced: false)
        try files.sync(place.directory)
    }

    /// Removes the file of a run that changed nothing.
    package func abandon(_ run: MigrationRun) {
        try? files.remove(Location(.state, MigrationStore.path("\(run.number)\(MigrationStore.suffix)")))
    }

    /// Records the end of a killed run that had completed everything else.
    package func endUnfinished(_ history: MigrationHistory) throws(FileError) {
        guard let run = history.unfinished, run.kind == .apply else { return }
        try end(run)
    }

    /// Creates the file of a run.
    package func begin(_ run: MigrationRun) throws(FileError) -> OpenMigrationLog {
        let path = MigrationStore.path("\(run.number)\(MigrationStore.suffix)")
        if let directory = path.directory {
            do { try files.makeDirectory(Location(.state, directory)) } catch .exists {}
        }
        let file = Location(.state, path)
        let log = try OpenMigrationLog(creating: file, in: files)
        do throws(FileError) {
            try log.write(run.head)
            try files.sync(file.directory)
        } catch {
            // A run that changed nothing must not look like a killed one.
            log.close()
            try? files.remove(file)
            throw error
        }
        return log
    }
}

/// The log file of a run in progress.
package final class OpenMigrationLog {
    private let append: (String) throws(FileError) -> Void
    private let end: () -> Void
    /// The first write that failed. It may have left a partial last line, which readers ignore; with more
    /// lines after it, the whole log would be unreadable.
    private var failure: FileError?

    fileprivate convenience init(creating file: Location, in files: any FileSystem) throws(FileError) {
        try self.init(creating: file, through: files)
    }

    private init(creating file: Location, through files: some FileSystem) throws(FileError) {
        let handle = try files.create(file)
        append = { text throws(FileError) in
            try files.write(Array(text.utf8), to: handle)
            try files.sync(handle)
        }
        end = { files.close(handle) }
    }

    /// Written before the documents, so that a reader of the log finds their originals.
    package func record(_ entries: [MigrationEntry]) throws(FileError) {
        guard !entries.isEmpty else { return }
        try write(MigrationRun.text(of: entries))
    }

    package func close() { end() }

    fileprivate func write(_ text: String) throws(FileError) {
        if let failure { throw failure }
        do throws(FileError) {
            try append(text)
        } catch {
            failure = error
            throw error
        }
    }
}
