package import Storage

extension Engine {
    /// Deletes what `rollback` needs, and what of it lies in the trash; `nil` where a migration is not at its
    /// end yet, for it may have to be rolled back.
    package mutating func finishMigrations() throws(FileError) -> KeptOriginals? {
        let history = try files.migrationHistory()
        guard history.unfinished == nil else { return nil }
        // First: a part of the old bytes brings back a part of the documents.
        try files.finish(history)
        for digest in try files.originalDigests() { try trash.drop(digest, in: files) }
        return try files.originals(dropping: true)
    }
}
