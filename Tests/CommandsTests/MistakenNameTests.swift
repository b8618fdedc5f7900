import Foundation
import TestWorld
import Testing

@testable import Commands

/// What is said about a name that was given by mistake.
@Suite(.timeLimit(.minutes(2))) struct MistakenNameTests {
    @Test func `A file as a container is no directory`() async throws {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/hostname"
            try write("x", to: file)
            let ended = await run(["sync", "--app", file, "--group", bridge.group, "--state", bridge.state])
            #expect(ended.status == .failed)
            let words = "widgetbridge: not a directory, \(file); name the directory that has the documents\n"
            #expect(ended.errors == words)
        }
    }

    @Test func `Containers that are named the wrong way round are recognized by their IDs`() async throws {
        try await RealBridge.with { bridge in
            try bridge.save("[1]", as: "a.json", in: bridge.app)
            #expect(try await bridge.run("sync").status == 0)
            let swapped = ["--app", bridge.group, "--group", bridge.app, "--state", bridge.state]
            let ended = try await Binary.run(["sync"] + swapped)
            #expect(ended.status == 7)
            #expect(ended.output.contains(" container carries the ID of the "), "\(ended)")
            #expect(ended.output.contains("the two may be named the wrong way round"), "\(ended)")
            #expect(try await bridge.run("sync").status == 0)
        }
    }

    @Test func `That no profile is named is said so`() async throws {
        try await RealBridge.with { bridge in
            #expect(try await bridge.run("sync", "--profile", "budget").status == 0)
            let ended = try await bridge.run("sync")
            let words = "widgetbridge: the bridge uses the profile `budget`, and none is named, "
            #expect(ended.status != 0 && ended.errors.hasPrefix(words), "\(ended)")
        }
    }

    @Test func `The known keys stand behind the position of an unknown one`() async throws {
        try await withDirectory { root in
            let file = "\(root)/p.yaml"
            try write("about: mine\ngruop: x\ndocuments: []\n", to: file)
            let ended = await run(["profile", "lint", file])
            let words = "widgetbridge: `gruop`: unknown key, \(file):2:1; the keys here are "
            #expect(ended.errors.hasPrefix(words), "\(ended)")
            #expect(ended.errors.hasSuffix("Did you mean `group`?\n"))
        }
    }
}
