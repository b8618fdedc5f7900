import Foundation
import GRDB
import StateStore
import Testing

/// Damage to the schema of a journal, which no checksum protects.
@Suite struct JournalSchemaTests {
    private func withJournal(_ body: (String) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "journal.sqlite").path
        try SQLiteJournal(path: file, newInstance: "one").close()
        try body(file)
    }

    private func error(opening file: String) -> JournalError? {
        do throws(JournalError) {
            try SQLiteJournal(path: file, newInstance: "two").close()
            return nil
        } catch {
            return error
        }
    }

    /// The places of the schema's own bytes in the file.
    private func schemaBytes(of file: String) throws -> [Int] {
        let database = try DatabaseQueue(path: file)
        let texts = try database.read {
            try String.fetchAll($0, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        }
        try database.close()
        let bytes = try Data(contentsOf: URL(filePath: file))
        return texts.flatMap { bytes.range(of: Data($0.utf8)).map(Array.init) ?? [] }
    }

    @Test func `Each bit of the schema that flips is damage, or changes no table`() throws {
        try withJournal { file in
            let good = try Data(contentsOf: URL(filePath: file))
            var damaged = 0
            let places = try schemaBytes(of: file)
            for place in stride(from: 0, to: places.count, by: 7).map({ places[$0] }) {
                var bytes = good
                bytes[place] ^= 1 << UInt8(place % 8)
                for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file + suffix) }
                try bytes.write(to: URL(filePath: file))
                guard let error = error(opening: file) else { continue }
                damaged += 1
                #expect(error.isBroken, "\(place): \(error)")
            }
            #expect(damaged > 20)
        }
    }

    @Test(arguments: [
        "ALTER TABLE document RENAME TO documenu", "ALTER TABLE document RENAME COLUMN appHash TO appHasi",
        "DROP TABLE meta", "ALTER TABLE document ADD COLUMN more",
        "DROP TABLE intent; CREATE TABLE intent (path INTEGER PRIMARY KEY)",
    ])
    func `A schema that is not that of its version is damage`(change: String) throws {
        try withJournal { file in
            let database = try DatabaseQueue(path: file)
            try database.writeWithoutTransaction { try $0.execute(sql: change) }
            try database.close()
            #expect(error(opening: file)?.isBroken == true)
        }
    }

    @Test(arguments: [99, 5])
    func `A journal of another release is refused, whatever its schema is`(number: Int) throws {
        try withJournal { file in
            let database = try DatabaseQueue(path: file)
            try database.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA user_version = \(number); PRAGMA writable_schema = ON;")
                try database.execute(
                    sql: "UPDATE sqlite_master SET sql = 'CREATE TABLF' WHERE name = 'event'"
                )
            }
            try database.close()
            guard case .otherSchema(number, _)? = error(opening: file) else {
                Issue.record("\(String(describing: error(opening: file)))")
                return
            }
        }
    }
}
