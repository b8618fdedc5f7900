import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Model
import TestWorld
import Testing

/// Failing system calls of the running agent: the documents are held, reported, tried again, and synced
/// once the cause is gone.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ErrorTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var call: String
        var error: String
        var words: String

        var testDescription: String { "\(call) \(error)" }
    }

    private static let words = [
        "ENOSPC": "No space left on device", "EDQUOT": "Disk quota exceeded", "EIO": "Input/output error",
        "EMFILE": "Too many open files", "EACCES": "Permission denied", "EROFS": "Read-only file system",
    ]

    private static func faults(_ table: [(call: String, errors: [String])]) -> [Fault] {
        table.flatMap { row in
            row.errors.compactMap { error in
                words[error].map { Fault(call: row.call, error: error, words: $0) }
            }
        }
    }

    private static let faults = faults([
        ("openat2", ["EMFILE", "EACCES", "EROFS", "EIO"]), ("writev", ["EIO", "EDQUOT", "ENOSPC"]),
        ("fsync", ["EIO", "ENOSPC", "EDQUOT"]),
        ("renameat2", ["EACCES", "EROFS", "ENOSPC", "EDQUOT", "EIO"]),
        ("mkdirat", ["ENOSPC", "EDQUOT", "EACCES", "EROFS"]), ("statx", ["EACCES", "EIO"]),
    ])

    /// A change, a creation in a new directory and a deletion.
    private static let edits = "echo 2 > app/b1.json; mkdir app/new; echo 3 > app/new/a.json; rm app/b2.json"

    @Test(arguments: faults) func `a failing call holds its document until it succeeds`(
        _ fault: Fault
    ) async throws {
        try await Attacked.with("--durability", "file", "--rescan", "1s") { attacked in
            let before = attacked.documents(.group)
            let injection = try await Injection(fault.call, "error=\(fault.error)", into: attacked)
            try await attacked.shell(Self.edits)
            let refusal = try #require(await attacked.refusal())
            let reason = try await attacked.reasons()
            #expect(reason.contains { $0.contains(fault.words) }, "\(refusal) \(reason)")
            for (name, content) in attacked.documents(.group) {
                #expect(content == before[name] || content == attacked.documents(.app)[name], "\(name)")
            }
            let fired = try await injection.end()
            #expect(!fired.isEmpty, "nothing failed")
            if fault.call == "fsync" { expectNoneTwice(fired) }
            #expect(try await eventually { await attacked.refusal() == nil })
            try await attacked.expectSame(0)
            // Files that could not be moved to the trash are moved later.
            #expect(try await eventually { attacked.leftovers().isEmpty })
        }
    }

    /// The kernel treats pages that it could not write as clean: a second fsync of the same file would
    /// succeed wrongly.
    private func expectNoneTwice(_ fired: [String]) {
        let files = fired.compactMap { $0.firstMatch(of: /fsync\(\d+<(.*)>\)/).map { String($0.1) } }
        #expect(files.count == fired.count)
        #expect(Set(files).count == files.count)
    }

    /// A replaced document is moved to the trash by a separate rename, after the one that replaced it.
    @Test(arguments: ["ENOSPC", "EIO", "EACCES"])
    func
        `a content that the trash cannot take is reported, and moved there later without checking everything`(
            _ error: String
        ) async throws
    {
        try await Attacked.with("--durability", "file") { attacked in
            let injection = try await Injection("renameat2", "error=\(error):when=2+", into: attacked)
            try await attacked.shell("echo 2 > app/t && mv app/t app/b1.json")
            try await attacked.expectSame(0)
            #expect(attacked.leftovers().count == 1)
            let words = try #require(Self.words[error])
            let reason = "1 replaced file cannot be moved to the trash: cannot rename it: \(words)"
            #expect(try await attacked.reasons() == [reason])
            #expect(try await !injection.end().isEmpty, "nothing failed")
            let rescans = try await attacked.client.status().counters.rescans
            #expect(try await eventually { attacked.leftovers().isEmpty })
            #expect(try await attacked.client.status().counters.rescans == rescans)
            #expect(try await attacked.reasons() == [])
            let history = try await Binary.run(["history"] + attacked.bridge.places)
            #expect(history.output.contains("b1.json"))
        }
    }

    @Test func `interrupted calls are repeated without a message`() async throws {
        try await Attacked.with("--durability", "file") { attacked in
            let calls = "openat2,statx,getdents64,writev,fsync,renameat2,mkdirat,unlinkat,fchmod"
            let injection = try await Injection(calls, "error=EINTR:when=1+2", into: attacked)
            try await attacked.shell(Self.edits)
            try await attacked.expectSame(0, rehash: true)
            let fired = try await injection.end()
            for call in ["openat2", "statx", "writev", "fsync", "renameat2", "mkdirat"] {
                #expect(fired.contains { $0.contains("\(call)(") }, "\(call)")
            }
        }
    }

    @Test func `a held document is tried again by itself, less and less often`() async throws {
        try await Attacked.with("--durability", "file") { attacked in
            let injection = try await Injection("fsync", "error=EIO", into: attacked)
            let start = ContinuousClock.now
            try await attacked.shell("echo 2 > app/t && mv app/t app/b1.json")
            #expect(try await eventually { ContinuousClock.now - start > .milliseconds(1_800) })
            // With the save, after half a second and after a second, but not in every turn.
            let count = try await injection.end().count
            #expect((2...5).contains(count), "\(count) attempts")
            #expect(try await eventually { attacked.documents(.group)["b1.json"] == "2\n" })
            try await attacked.expectSame(0)
        }
    }

    @Test func `a journal that cannot be written loses nothing`() async throws {
        try await Attacked.with { attacked in
            let injection = try await Injection("pwrite64", "error=ENOSPC", into: attacked)
            try await attacked.shell(Self.edits)
            #expect(await attacked.timesOut())
            let said = "the journal cannot be written: database or disk is full"
            #expect(try await attacked.reasons().contains(said))
            let fired = try await injection.end()
            #expect(!fired.isEmpty, "nothing failed")
            #expect(try await eventually { await attacked.refusal() == nil })
            #expect(try await attacked.reasons() == [])
            try await attacked.expectSame(0)
            try await attacked.shell("echo 4 > group/b3.json; rm group/b4.json")
            try await attacked.wait()
            #expect(attacked.documents(.app)["b3.json"] == "4\n")
            #expect(attacked.documents(.app)["b4.json"] == nil)
        }
    }
}

extension Attacked {
    /// Why the bridge is halted, or documents are held.
    func reasons() async throws -> [String] {
        let status = try await client.status()
        return status.documents.compactMap(\.reason?.text) + [status.reason?.text].compactMap(\.self)
    }
}
