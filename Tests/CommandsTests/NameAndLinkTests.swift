import Foundation
import TestWorld
import Testing

/// What `status` and `doctor` say of names that look alike, and of hard links.
@Suite(.timeLimit(.minutes(2))) struct NameAndLinkTests {
    private func inode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.systemFileNumber] as? Int)
    }

    @Test(arguments: [false, true])
    func `A name that only looks like one of the profile is pointed out`(withAgent: Bool) async throws {
        try await RealBridge.with { bridge in
            let profile = "\(bridge.root)/p.yaml"
            try write("{profile: p, documents: {caf\u{E9}.json: {}, notes.json: {}}}", to: profile)
            let names = ["cafe\u{301}.json", "Notes.json", "no\u{A0}tes.json", "notes.json", "other.json"]
            for name in names { try write("{}", to: "\(bridge.app)/\(name)") }
            let flags = ["--profile", profile]
            let agent = withAgent ? try await bridge.startAgent(flags) : nil
            let found = try await bridge.doctor(flags).filter { $0.rule == "lookalike" }
            #expect(found.count == (withAgent ? 6 : 3), "\(found)")
            let status = try await Binary.run(["status"] + bridge.flags + flags)
            let line = "    its name only looks like notes.json, which the profile names\n"
            #expect(status.output.ranges(of: line).count == 2, "\(status)")
            #expect(status.output.contains("only looks like caf\u{E9}.json,"), "\(status)")
            let json = try await Binary.run(["status", "--json"] + bridge.flags + flags)
            #expect(json.output.ranges(of: #""looksLike":"notes.json""#).count == 2, "\(json)")
            if let agent { try await bridge.end(agent) }
        }
    }

    @Test func `Hard links in both containers are pointed out, and a sync parts them`() async throws {
        try await RealBridge.with { bridge in
            let (app, group) = ("\(bridge.app)/a.json", "\(bridge.group)/a.json")
            try write("{}", to: app)
            #expect(try await Binary.run(["sync"] + bridge.flags).status == 0)
            try FileManager.default.removeItem(atPath: group)
            try FileManager.default.linkItem(atPath: app, toPath: group)
            func found() async throws -> [String] {
                try await bridge.doctor([]).map(\.rule).filter { $0 == "linked" }
            }
            #expect(try await found() == ["linked"])
            let status = try await Binary.run(["status"] + bridge.flags)
            #expect(status.output.contains("both containers have hard links to one file"), "\(status)")
            let synced = try await Binary.run(["sync"] + bridge.flags)
            #expect(synced.status == 0 && synced.output.contains("hard links to one file"), "\(synced)")
            #expect(try inode(app) != inode(group))
            #expect(try await found() == [])
        }
    }

    @Test func `An agent parts files that are linked while it runs`() async throws {
        try await RealBridge.with { bridge in
            let (app, group) = ("\(bridge.app)/a.json", "\(bridge.group)/a.json")
            try write("{}", to: app)
            let agent = try await bridge.startAgent()
            try FileManager.default.removeItem(atPath: group)
            try FileManager.default.linkItem(atPath: app, toPath: group)
            #expect(try await Binary.run(["wait"] + bridge.flags).status == 0)
            #expect(try inode(app) != inode(group))
            try await bridge.end(agent)
        }
    }
}
