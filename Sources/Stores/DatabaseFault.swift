package import Model

/// Why a row of a database cannot be read or written. Nothing was changed.
package enum DatabaseFault: Error, Sendable, Hashable {
    /// The database, or a file of SQLite beside it, cannot be accessed.
    case file(FileError)
    /// Another file system is mounted over it, or over a directory above it.
    case mountPoint
    /// Another program has locked it.
    case busy
    /// Another program is about to commit: what it writes is not visible yet.
    case beingWritten
    /// The file was replaced during the call.
    case changing
    /// It is no database, or an encrypted one.
    case notADatabase
    case corrupt
    /// `needsRecovery`: not even readable, as a change that a program did not finish must be undone first.
    case readOnly(needsRecovery: Bool)
    /// It has no such table, and the bridge creates none in this format.
    case missingTable(String)
    /// The name belongs to something else than an ordinary table.
    case notATable(String, found: DatabaseObject)
    case missingColumn(DatabaseColumn)
    /// Its value is computed from other columns.
    case generatedColumn(DatabaseColumn)
    /// The value in the row with this key is neither text nor a blob.
    case wrongType(DatabaseColumn, key: String, found: DatabaseType)
    /// No row has the key as text, but one has it as this type.
    case wrongKeyType(DatabaseColumn, key: String, found: DatabaseType)
    /// The key is in several rows.
    case severalRows(DatabaseColumn, key: String)
    /// `nil`: SQLite does not tell the size.
    case tooLarge(bytes: Int64?, limit: Int)
    /// A trigger or the column's declared type would have stored another value, or none.
    case altered(DatabaseColumn, key: String)
    /// A constraint, or anything else: the result code and message of SQLite.
    case failed(code: Int32, message: String)
}

package struct DatabaseColumn: Sendable, Hashable {
    package var table: String
    package var column: String

    package init(_ table: String, _ column: String) { (self.table, self.column) = (table, column) }
}

/// The types of SQLite; the raw value is the name that `typeof` gives them.
package enum DatabaseType: String, Sendable, Hashable, CaseIterable {
    case null, integer, real, text, blob
}

/// What a name in a database's schema can belong to.
package enum DatabaseObject: String, Sendable, Hashable {
    case view, index, trigger
    case virtualTable = "virtual table"
    case other
}
