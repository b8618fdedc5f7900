import Foundation
import TestWorld
import Testing
import WidgetBridgeReader

private struct Budget: Decodable, Equatable {
    var spent: Decimal
    var month: String
}

@Suite struct DocumentReaderTests {
    @Test func `A document is decoded as the requested type, with exact numbers`() throws {
        try withContainer { directory, reader in
            try Data(#"{"spent": 12.30, "month": "2026-01"}"#.utf8).write(to: directory / "budget.json")
            let budget = try reader.value(Budget.self, of: "budget.json")
            #expect(budget == Budget(spent: Decimal(string: "12.30") ?? 0, month: "2026-01"))
            #expect(try reader.bytes(of: "budget.json").count == 36)
        }
    }

    @Test func `Only a missing document is absent`() throws {
        try withContainer { directory, reader in
            try FileManager.default.createDirectory(
                at: directory / "notes",
                withIntermediateDirectories: false
            )
            try FileManager.default.createSymbolicLink(
                at: directory / "link.json",
                withDestinationURL: directory / "budget.json"
            )
            try Data("{".utf8).write(to: directory / "half.json")
            #expect(
                failure { try reader.bytes(of: "budget.json") } == "budget.json: there is no such document"
            )
            #expect(failure { try reader.bytes(of: "a\0.json") }?.hasSuffix("inside a container") == true)
            #expect(failure { try reader.bytes(of: "notes") } == "notes: not a regular file")
            #expect(failure { try reader.bytes(of: "link.json") } == "link.json: not a regular file")
            try FileManager.default.createSymbolicLink(
                at: directory / "way",
                withDestinationURL: directory / "notes"
            )
            #expect(failure { try reader.bytes(of: "way/a.json") } == "way/a.json: not a regular file")
            #expect(failure { try reader.bytes(of: "no/a.json") }?.contains("no such document") == true)
            #expect(
                failure { try reader.value(Budget.self, of: "half.json") }?.hasPrefix("half.json: ") == true
            )
        }
    }

    @Test func `In a missing container no document counts as absent`() throws {
        try withContainer { directory, _ in
            let reader = DocumentReader(container: (directory / "missing").path)
            do throws(ReadFailure) {
                _ = try reader.bytes(of: "budget.json")
            } catch {
                if case .unreadable = error { return }
                Issue.record("\(error)")
            }
        }
    }

    @Test(arguments: ["", "../budget.json", "/etc/passwd", "a//b.json", "a/./b.json"])
    func `A name cannot lead outside the container`(_ name: String) throws {
        try withContainer { _, reader in
            #expect(
                failure { try reader.bytes(of: name) }?.hasSuffix("not a path inside a container") == true
            )
        }
    }

    @Test func `A file above the size limit is not read`() throws {
        try withContainer { directory, _ in
            try Data("[1]".utf8).write(to: directory / "large.json")
            let reader = DocumentReader(container: directory.path, maxDocument: 2)
            #expect(
                failure { try reader.bytes(of: "large.json") } == "large.json: 3 bytes; at most 2 are read"
            )
        }
    }
}

private func failure(_ body: () throws -> some Any) -> String? {
    do { _ = try body() } catch { return "\(error)" }
    return nil
}

private func withContainer(_ body: (URL, DocumentReader) throws -> Void) throws {
    let directory = FileManager.default.temporaryDirectory / UUID().uuidString
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    try body(directory, DocumentReader(container: directory.path))
}

private func / (directory: URL, name: String) -> URL { directory.appending(path: name) }
