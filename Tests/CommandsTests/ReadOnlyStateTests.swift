import Foundation
import GRDB
import Glibc
import TestWorld
import Testing

/// Commands that only read, where nothing can be written.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ReadOnlyStateTests {
    private static let reading = [
        ["event", "list"], ["event", "pull"], ["reloads"], ["widget", "list"], ["history"], ["app-state"],
    ]

    private static func fill(_ bridge: RealBridge) async throws {
        try bridge.save("{}", as: "a.json", in: bridge.app)
        #expect(try await bridge.run("sync").status == 0)
        #expect(try await bridge.run("widget", "add", "a.json", "small").status == 0)
        #expect(try await bridge.run("event", "push", "a.json", "open", "--id", "one").status == 0)
    }

    /// They print what they usually do, and leave all files as they are.
    private func expectReading(_ bridge: RealBridge, through wrapper: [String]) async throws {
        var usual: [Binary.Ended] = []
        for words in Self.reading { usual.append(try await Running(words + bridge.places).ended()) }
        #expect(usual[1].output.contains(#""id":"one""#))
        let directories = [bridge.state, "\(bridge.state)/events"]
        for directory in directories { unsafe #expect(chmod(directory, 0o500) == 0) }
        let before = try bridge.allFiles()
        for (words, ended) in zip(Self.reading, usual) {
            #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended)")
            #expect(try await Running(words + bridge.places, through: wrapper).ended() == ended)
        }
        let push = ["event", "push", "a.json", "x"] + bridge.places
        let pushed = try await Running(push, through: wrapper).ended()
        #expect(pushed.status == 1 && pushed.errors.contains("let this user read and write it"), "\(pushed)")
        #expect(try bridge.allFiles() == before)
        for directory in directories { unsafe #expect(chmod(directory, 0o700) == 0) }
    }

    @Test func `They read in a state directory that this user cannot write`() async throws {
        try await RealBridge.with { bridge in
            try await Self.fill(bridge)
            try await expectReading(bridge, through: Wrapper.boundByModes)
        }
    }

    @Test func `They read on a file system that is mounted read-only, also what is in a log only`()
        async throws
    {
        guard (try? await Running(command: Wrapper.withMounts + ["/bin/true"]).ended().status) == 0 else {
            return
        }
        try await RealBridge.with { bridge in
            try await Self.fill(bridge)
            // The log is kept for as long as somebody has the queue open.
            let queue = try DatabaseQueue(path: "\(bridge.state)/events/queue.sqlite")
            #expect(try await bridge.run("event", "push", "a.json", "open", "--id", "two").status == 0)
            let state = bridge.state
            let script = """
                mount --bind '\(state)' '\(state)' && mount -o remount,bind,ro '\(state)' && exec "$@"
                """
            let wrapper = Wrapper.withMounts + ["/bin/sh", "-c", script, "sh"]
            let listed = try await Running(["event", "list"] + bridge.places, through: wrapper).ended()
            #expect(listed.output.contains("two  "), "\(listed)")
            try queue.close()
            try await expectReading(bridge, through: wrapper)
        }
    }

    @Test func `They read in a state directory that has only events and cannot be written`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("{}", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("event", "push", "a.json", "open", "--id", "one").status == 0)
            unsafe #expect(chmod(bridge.state, 0o500) == 0)
            for words in Self.reading + [["status"]] {
                let ended = try await Running(words + bridge.places, through: Wrapper.boundByModes).ended()
                #expect(ended.errors.isEmpty && [0, 2].contains(ended.status), "\(words) \(ended)")
            }
            unsafe #expect(chmod(bridge.state, 0o700) == 0)
        }
    }

    @Test func `They read a journal that this user cannot write`() async throws {
        try await RealBridge.with { bridge in
            try await Self.fill(bridge)
            var usual: [Binary.Ended] = []
            for words in Self.reading { usual.append(try await Running(words + bridge.places).ended()) }
            unsafe #expect(chmod("\(bridge.state)/journal.sqlite", 0o400) == 0)
            for (words, expected) in zip(Self.reading, usual) {
                let ended = try await Running(words + bridge.places, through: Wrapper.boundByModes).ended()
                #expect(ended == expected)
            }
        }
    }

    @Test func `They read on a full disk`() async throws {
        guard (try? await Running(command: Wrapper.withMounts + ["/bin/true"]).ended().status) == 0 else {
            return
        }
        try await RealBridge.with { bridge in
            try await Self.fill(bridge)
            let copy = "\(bridge.root)/copy"
            let script = """
                mv '\(bridge.state)' '\(copy)' && mkdir -m 700 '\(bridge.state)' \
                && mount -t tmpfs -o size=2m,mode=700 none '\(bridge.state)' \
                && cp -a '\(copy)/.' '\(bridge.state)' && cat /dev/zero > '\(bridge.state)/filler'; exec "$@"
                """
            let wrapper = Wrapper.withMounts + ["/bin/sh", "-c", "(\(script))", "sh"]
            for words in Self.reading + [["status"]] {
                let ended = try await Running(words + bridge.places, through: wrapper).ended()
                #expect(ended.status == 0, "\(words) \(ended)")
                unsafe rmdir(bridge.state)
                unsafe rename(copy, bridge.state)
            }
        }
    }
}
