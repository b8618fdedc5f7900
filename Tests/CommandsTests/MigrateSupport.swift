import Foundation
import TestBridge

@testable import Commands

/// A directory with files that are migrated in place. In output it is shown as D.
struct MigrationGround: Sendable {
    let root: String

    static func with<Result>(_ body: (MigrationGround) async throws -> Result) async throws -> Result {
        try await withDirectory { try await body(MigrationGround(root: $0)) }
    }

    func path(_ name: String) -> String { "\(root)/\(name)" }

    func put(_ text: String, _ name: String) throws { try write(text, to: path(name)) }

    func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Runs `migrate` with these arguments; those that begin with `D/` are files here.
    func migrate(_ words: String..., profile: String? = "budget") async -> Ran {
        await migrate(words, profile: profile)
    }

    func migrate(_ words: [String], profile: String? = "budget") async -> Ran {
        let flags = profile.map { ["--profile", $0.replacing("D/", with: "\(root)/")] } ?? []
        let words = words.map { $0.hasPrefix("D/") || $0 == "D" ? root + $0.dropFirst() : $0 }
        let ran = await run(["migrate"] + words + flags + ["--state", path(".state")])
        return Ran(
            status: ran.status,
            output: ran.output.replacing(root, with: "D"),
            errors: ran.errors.replacing(root, with: "D")
        )
    }

    /// The files in the state directories, by relative name.
    func state(_ suffix: String) -> [String] {
        let all = FileManager.default.enumerator(atPath: path(".state"))?.allObjects as? [String] ?? []
        return all.filter { $0.contains(suffix) }.map { path(".state/\($0)") }
    }

    func delete(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
}

extension LiveApp {
    /// The app of most tests.
    static var first: LiveApp { all[0] }
}
