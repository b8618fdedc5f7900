/// How far a migration of files is.
package struct MigrationProgress: Sendable, Hashable {
    package var done: Int
    package var total: Int

    package init(done: Int, of total: Int) { (self.done, self.total) = (done, total) }

    /// Is told how far the migration is, between two documents, and answers whether it shall go on.
    package typealias Watcher = (MigrationProgress) -> Bool
}
