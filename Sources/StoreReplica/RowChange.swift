import DatabaseStore
import DirectoryReplica
import FileSystem
import Model
import Replica
import Stores

/// A new value of a document in a row of a database.
struct RowChange {
    /// `nil`: the row is removed.
    let bytes: [UInt8]?
    let target: Location
    let row: DatabaseDocument
    /// A temporary file of the document, whose name identifies the change.
    let temporary: Location

    init(to bytes: [UInt8]?, of target: Location, in row: DatabaseDocument, named temporary: Location) {
        (self.bytes, self.target, self.row, self.temporary) = (bytes, target, row, temporary)
    }
}

extension StoreReplica {
    /// A file with the replaced bytes, or `.some(nil)` if there was no document; `nil` if it was not as
    /// expected, and nothing was changed.
    mutating func swap(_ change: RowChange, over expected: Digest?) throws(FileError) -> Location?? {
        guard let databases else { return nil }
        let name = change.temporary.path.name + StoreMark.settledSuffix
        let displaced = try sibling(name, of: change.temporary)
        if expected == nil { try base.makeDirectories(above: change.row.file.path) }
        let synced = settings.syncsFiles
        do throws(DatabaseFault) {
            let outcome = try databases.swap(change.row, to: change.bytes, over: expected) {
                [files] (bytes) throws(FileError) in
                do throws(FileError) {
                    try files.create(displaced, holding: bytes, synced: synced)
                } catch .exists {
                    // Of an attempt that did not commit.
                    try files.remove(displaced)
                    try files.create(displaced, holding: bytes, synced: synced)
                }
            }
            guard case .swapped(let signature) = outcome else {
                try? base.remove(displaced)
                return nil
            }
            published[change.target] = signature.map { (change.temporary, $0) }
            return .some(expected == nil ? nil : displaced)
        } catch {
            try? base.remove(displaced)
            throw error.fileError(of: change.row.file)
        }
    }
}
