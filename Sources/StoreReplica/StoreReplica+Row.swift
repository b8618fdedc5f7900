import DatabaseStore
import DirectoryReplica
import FileSystem
import Model
import Replica
import Stores

extension StoreReplica {
    /// A file with the replaced bytes, or `.some(nil)` if there was no document; `nil` if it was not as
    /// expected, and nothing was changed.
    mutating func swap(_ change: StoreChange<DatabaseDocument>, over expected: Digest?) throws(FileError)
        -> Location??
    {
        guard let databases else { return nil }
        let name = change.temporary.path.name + StoreMark.settledSuffix
        let displaced = try sibling(name, of: change.temporary)
        if expected == nil { try base.makeDirectories(above: change.document.file.path) }
        let synced = settings.syncsFiles
        do throws(DatabaseFault) {
            let outcome = try databases.swap(
                change.document,
                to: change.bytes,
                over: expected,
                // It has the rights of the document.
                like: change.temporary
            ) { [files] (bytes) throws(FileError) in
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
            published[change.target] =
                change.bytes == nil ? nil : signature.map { (change.temporary, $0) }
            return .some(expected == nil ? nil : displaced)
        } catch {
            try? base.remove(displaced)
            throw error.fileError(of: change.document.file)
        }
    }
}
