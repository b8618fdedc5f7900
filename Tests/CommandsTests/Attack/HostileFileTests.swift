import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Model
import TestWorld
import Testing

/// Entries of a container that are not documents, and malicious documents.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileFileTests {
    @Test func `an entry that is not a regular file is held, and neither opened nor replaced`() async throws {
        let make = """
            echo secret > secret.json; ln -s ../secret.json app/link.json; ln -s loop.json app/loop.json
            ln -s /dev/zero app/device.json; mkfifo app/fifo.json group/both.json; mkdir app/directory.json
            ln -s ../secret.json group/linked.json; echo 1 > app/linked.json; echo 2 > app/both.json
            mknod app/null.json c 1 3 || ln -s /dev/null app/null.json
            """
        try await Attacked.with(prepare: make) { attacked in
            let before = try await attacked.shell(
                "ls -l --time-style=full-iso app group | grep -v '^total'; cat secret.json"
            )
            let held = ["both", "device", "fifo", "link", "linked", "loop", "null"].map { "\($0).json" }
            #expect(await attacked.refusal() != nil)
            try await attacked.shell("echo 3 > app/fine.json")
            #expect(await attacked.refusal() != nil)
            let documents = try await attacked.client.status().documents
            #expect(documents.filter { $0.state == .held }.map(\.name) == held)
            #expect(attacked.documents(.group).filter { !$0.value.isEmpty }.count == Attacked.bystanders + 2)
            #expect(try await attacked.shell("cat group/fine.json") == "3\n")
            try await attacked.shell("rm app/fine.json")
            _ = await attacked.refusal()
            let after = try await attacked.shell(
                "ls -l --time-style=full-iso app group | grep -v '^total'; cat secret.json"
            )
            #expect(after == before)
            try await attacked.shell(
                "rm {app,group}/{\(held.joined(separator: ","))} || true; rm secret.json"
            )
            try await attacked.expectSame(0)
        }
    }

    @Test func `a sparse file of a terabyte is held at once, and never read`() async throws {
        try await Attacked.with { attacked in
            let before = try attacked.memory()
            try await attacked.shell("truncate -s 1T app/huge.json; echo 1 > app/a.json")
            guard case .held(document: "huge.json", reason: let reason, _)? = await attacked.refusal() else {
                return #expect(Bool(false), "not held")
            }
            #expect(reason?.text.hasPrefix("1099511627776 bytes; the limit is") == true)
            #expect(attacked.documents(.group)["a.json"] == "1\n")
            #expect(try attacked.memory() < before + 20_000)
            try await attacked.shell("rm app/huge.json")
            try await attacked.expectSame(1)
        }
    }

    @Test func `names with any characters are synced, or held if a path cannot represent them`() async throws
    {
        try await Attacked.with { attacked in
            let names =
                #"$'new\nline.json' $'tab\tquote"back\\slash.json' $'\e[31mred.json' '-rf.json' '$(reboot).json' 'ü–日本.json'"#
            try await attacked.shell("cd app; for name in \(names); do echo 1 > \"./$name\"; done")
            try await attacked.expectSame(6)
            try await attacked.shell(#"cd app; echo 2 > $'bad\xff.json'"#)
            guard case .held(document: let name, reason: let reason, _)? = await attacked.refusal() else {
                return #expect(Bool(false), "not held")
            }
            #expect(name == #"bad\xff.json"# && reason == .reported("its name is not UTF-8"))
            try await attacked.shell(#"cd app; rm $'bad\xff.json'"#)
            try await attacked.expectSame(6)
            // Neither is what is beneath a directory that is so named.
            try await attacked.shell(#"cd app; mkdir -p $'d\xff/e'; echo 2 > $'d\xff/e/a.json'"#)
            guard case .held(document: let above, _, _)? = await attacked.refusal() else {
                return #expect(Bool(false), "not held")
            }
            #expect(above == #"d\xff/"#)
            try await attacked.shell(#"cd app; echo 3 > $'d\xff/e/a.json'; rm -r $'d\xff/e'"#)
            #expect(await attacked.refusal() != nil)
            try await attacked.shell(#"cd app; rm -r $'d\xff'"#)
            try await attacked.expectSame(6)
        }
    }

    /// More with WIDGETBRIDGE_FILES: a hundred thousand take half a minute on a slow disk.
    private static let files =
        unsafe getenv("WIDGETBRIDGE_FILES").flatMap { unsafe Int(String(cString: $0)) } ?? 20_000

    @Test func `any number of files in one directory hides no document`() async throws {
        try await Attacked.with { attacked in
            let directory = attacked.bridge.app + "/many"
            unsafe mkdir(directory, 0o755)
            for number in 0..<Self.files {
                let made = unsafe mknod("\(directory)/\(number).txt", S_IFREG | 0o644, 0)
                precondition(made == 0)
            }
            try await attacked.shell("echo 1 > app/many/a.json")
            try await attacked.expectSame(1)
            try await attacked.expectSame(1, rehash: true)
        }
    }

    /// Written to files, because most of them are longer than a command line may be.
    private static let bombs: [(name: String, text: String, isCarried: Bool)] = [
        (
            "deep arrays", String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
            false
        ),
        (
            "deep objects",
            String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000), false
        ),
        ("unclosed", String(repeating: "[", count: 4_000_000), false),
        ("a number of a million digits", String(repeating: "9", count: 1_000_000), true),
        ("a great exponent", "1e999999999999999999", true),
        ("many members", "{" + (0..<100_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}", true),
        (
            "many of one name",
            "{" + Array(repeating: #""a":1"#, count: 100_000).joined(separator: ",") + "}", true
        ),
        ("a long string", "\"" + String(repeating: #"\u0000"#, count: 500_000) + "\"", true),
        ("too much", "\"" + String(repeating: "x", count: 9 << 20) + "\"", false),
    ]

    @Test func `documents designed to exhaust memory are synced unchanged, or held`() async throws {
        try await Attacked.with { attacked in
            for bomb in Self.bombs {
                try attacked.bridge.save(bomb.text, as: "bomb.json", in: attacked.bridge.app)
                let refusal = await attacked.refusal()
                if bomb.isCarried {
                    #expect(refusal == nil, "\(bomb.name)")
                    #expect(attacked.documents(.group)["bomb.json"] == bomb.text, "\(bomb.name)")
                } else {
                    guard case .held(document: "bomb.json", reason: _, _)? = refusal else {
                        Issue.record("\(bomb.name): \(refusal as Any)")
                        continue
                    }
                }
            }
            try await attacked.shell("rm app/bomb.json")
            try await attacked.expectSame(0)
        }
    }

    /// Both sides change every element: a merge that compares every pair would take too long.
    @Test func `two large arrays without common elements are merged in bounded time`() async throws {
        func array(_ offset: Int) -> String {
            "[" + (0..<20_000).map { "\($0 + offset)" }.joined(separator: ",") + "]"
        }
        try await Attacked.with { attacked in
            try attacked.bridge.save(array(0), as: "a.json", in: attacked.bridge.app)
            try await attacked.expectSame(1)
            attacked.agent.send(SIGSTOP)
            try attacked.bridge.save(array(1_000_000), as: "a.json", in: attacked.bridge.app)
            try attacked.bridge.save(array(2_000_000), as: "a.json", in: attacked.bridge.group)
            attacked.agent.send(SIGCONT)
            let start = ContinuousClock.now
            try await attacked.wait()
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(attacked.documents(.app)["a.json"] == attacked.documents(.group)["a.json"])
        }
    }
}

extension Attacked {
    /// The agent's memory, in kilobytes.
    func memory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(agent.identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") })
        return try #require(Int(line.split(whereSeparator: \.isWhitespace)[1]))
    }

    func descriptors() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent.identifier)/fd").count
    }
}
