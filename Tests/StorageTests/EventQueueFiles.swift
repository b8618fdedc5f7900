import Foundation
import GRDB

/// Calls `body` with the path of a file that does not exist yet.
func withTemporaryFile(_ body: (String) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: "wb-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory.appending(path: "queue.sqlite").path)
}

func fill(_ path: String, with text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

func execute(_ sql: String, on path: String) throws {
    let database = try DatabaseQueue(path: path)
    try database.write { try $0.execute(sql: sql) }
    try database.close()
}
