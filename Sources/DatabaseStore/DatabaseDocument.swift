package import Model

/// A document that is one value in a row of a table.
package struct DatabaseDocument: Sendable, Hashable {
    /// The database.
    package var file: Location
    package var table: String
    package var keyColumn: String
    package var valueColumn: String
    /// The row's key.
    package var key: String
    /// The statement that creates the table, as the app's own library does. Without one, the table and its
    /// database must exist.
    package var creation: String?
    /// The most bytes that the platform's own code can read; `nil` if it has no such limit.
    package var mostBytes: Int?

    /// Any table.
    package init(
        _ file: Location,
        table: String,
        keyColumn: String,
        valueColumn: String,
        key: String
    ) {
        (self.file, self.table, self.key) = (file, table, key)
        (self.keyColumn, self.valueColumn) = (keyColumn, valueColumn)
    }

    /// The store of TinyBase's SQLite persisters in JSON mode, which is a single row.
    package static func tinyBase(_ file: Location) -> DatabaseDocument {
        var document = DatabaseDocument(
            file,
            table: "tinybase",
            keyColumn: "_id",
            valueColumn: "store",
            key: "_"
        )
        document.creation = #"CREATE TABLE "tinybase" ("_id" PRIMARY KEY,"store")"#
        return document
    }

    /// A key of React Native's AsyncStorage on Android: in the file `AsyncStorage`, which Room keeps.
    package static func asyncStorage(_ file: Location, key: String) -> DatabaseDocument {
        DatabaseDocument(file, table: "Storage", keyColumn: "key", valueColumn: "value", key: key)
    }

    /// The same before Room: in the file `RKStorage`.
    package static func oldAsyncStorage(_ file: Location, key: String) -> DatabaseDocument {
        DatabaseDocument(
            file,
            table: "catalystLocalStorage",
            keyColumn: "key",
            valueColumn: "value",
            key: key
        )
    }
}
