/// How far a migration of files is.
package struct MigrationProgress: Sendable, Hashable {
    package var done: Int
    package var total: Int

    package init(done: Int, of total: Int) { (self.done, self.total) = (done, total) }

    /// Called between two documents with the progress of the migration; returns whether it shall go on.
    package typealias Watcher = (MigrationProgress) -> Bool
}
