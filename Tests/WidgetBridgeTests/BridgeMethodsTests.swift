import BridgeRuntime
import Foundation
import Logging
import TestBridge
import Testing
import WidgetBridge
import WidgetBridgeClient
import WidgetBridgeTesting

typealias Bridge = WidgetBridge.Bridge

/// The implementations of a bridge, which have the same methods.
enum BridgePlace: CaseIterable {
    case thisProcess, agent, simulation

    func withBridge(_ body: @Sendable @escaping (Bridge) async throws -> Void) async throws {
        switch self {
        case .thisProcess:
            try await withContainers { app, group, state in
                let options = Options(state: state, logger: silent)
                try await WidgetBridge.withBridge(app: app, group: group, options: options, body)
            }
        case .agent:
            try await withContainers { app, group, state in
                let settings = BridgeSettings(app: app, group: group, state: state)
                let agent = try await BridgeRuntime.Bridge.open(settings, logger: silent, watching: true)
                await agent.ready()
                try await withServer(of: agent) {
                    try await body(try await Bridge(agentFor: app, group: group, state: state))
                }
                await agent.close()
            }
        case .simulation: try await body(try SimulatedBridge().bridge)
        }
    }
}

let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

func withContainers(
    _ body: (_ app: String, _ group: String, _ state: String) async throws -> Void
) async throws {
    let directory = FileManager.default.temporaryDirectory.appending(
        path: "wb-\(UUID().uuidString.prefix(8))"
    )
    let paths = ["app", "group", "state"].map { directory.appending(path: $0) }
    for container in paths.prefix(2) {
        try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    }
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(paths[0].path, paths[1].path, paths[2].path)
}

@Suite struct BridgeMethodsTests {
    @Test(arguments: BridgePlace.allCases)
    func `A paused bridge syncs nothing until it is resumed`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            try await bridge.write(Data("[1]".utf8), to: "a.json", in: .app)
            try await bridge.wait(timeout: .seconds(60))
            try await bridge.pause()
            let status = try await bridge.status()
            #expect(status.state == .paused && status.pausedSince != nil)
            #expect(await reason { try await bridge.wait(timeout: .seconds(60)) } == .paused)
            #expect(
                await reason { try await bridge.write(Data("[2]".utf8), to: "a.json", in: .app) } == .paused
            )
            #expect(try await bridge.data(of: "a.json", in: .group) == Data("[1]".utf8))
            try await bridge.resume()
            #expect(try await bridge.status().state == .running)
            try await bridge.write(Data("[3]".utf8), to: "a.json", in: .app)
            try await bridge.wait(timeout: .seconds(60))
            #expect(try await bridge.data(of: "a.json", in: .group) == Data("[3]".utf8))
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `A document is written, listed, waited for and read`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            let written = try await bridge.write(Data(#"{"a":1}"#.utf8), to: "n/a.json", in: .app)
            try await bridge.wait(for: ["n/a.json"], timeout: .seconds(60))
            #expect(try await bridge.data(of: "n/a.json", in: .group) == Data(#"{"a":1}"#.utf8))
            let listed = try await bridge.documents()
            #expect(listed.map(\.name) == ["n/a.json"])
            #expect(listed.map(\.state) == [.synced])
            #expect(listed.map(\.hash) == [written.hash])
            let status = try await bridge.status()
            #expect(status.state == .running)
            #expect(status.watch == .inotify)
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `A write replaces only the expected content`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            let one = try await bridge.write("1".utf8, to: "a.json", expecting: .nothing)
            let refused = await reason {
                try await bridge.write("2".utf8, to: "a.json", expecting: .nothing)
            }
            #expect(refused == .mismatch(actual: one.hash))
            try await bridge.write("2".utf8, to: "a.json", expecting: .content(hash: one.hash))
            #expect(try await bridge.read("a.json").bytes == Array("2".utf8))
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `An overwritten content is in the history and can be restored`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            for text in ["1", "2"] {
                try await bridge.write(text.utf8, to: "a.json", in: .app)
                try await bridge.wait(timeout: .seconds(60))
            }
            let old = try #require(try await bridge.history(of: "a.json").first)
            #expect(old.document == "a.json")
            #expect(old.size == 1)
            let edit = try await bridge.undo(old.id)
            #expect(edit.isWritten)
            try await bridge.wait(timeout: .seconds(60))
            for container in Container.allCases {
                #expect(try await bridge.read("a.json", in: container).bytes == Array("1".utf8))
            }
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `A document is deleted on both sides only if it is the expected one, and is in the history`(
        _ place: BridgePlace
    ) async throws {
        try await place.withBridge { bridge in
            let written = try await bridge.write("1".utf8, to: "a.json", in: .app)
            try await bridge.wait(timeout: .seconds(60))
            let other = "sha256:" + String(repeating: "0", count: 64)
            let refused = await reason { try await bridge.delete("a.json", expecting: other) }
            #expect(refused == .mismatch(actual: written.hash))
            try await bridge.delete("a.json", expecting: written.hash)
            try await bridge.wait(timeout: .seconds(60))
            for container in Container.allCases {
                #expect(await reason { try await bridge.read("a.json", in: container) } == .noDocument)
            }
            #expect(await reason { try await bridge.delete("a.json") } == .noDocument)
            #expect(try await bridge.history(of: "a.json").first?.hash == written.hash)
            #expect(try await bridge.status().state == .running)
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `Notices report the current state, then each change`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            try await bridge.write("1".utf8, to: "a.json", in: .group)
            try await bridge.wait(timeout: .seconds(60))
            var notices = bridge.notices(document: "a.json").makeAsyncIterator()
            #expect(try await notices.next()?.cause == .current)
            let written = try await bridge.write("2".utf8, to: "a.json", in: .app)
            let notice = try #require(try await notices.next())
            #expect(notice.cause == .app)
            #expect(notice.hash == written.hash)
        }
    }

    @Test(arguments: BridgePlace.allCases)
    func `A failure says why`(_ place: BridgePlace) async throws {
        try await place.withBridge { bridge in
            #expect(await reason { try await bridge.read("a.json") } == .noDocument)
            #expect(await reason { try await bridge.read("../a.json") } == .refusedDocument)
            #expect(await reason { try await bridge.write("[".utf8, to: "a.json") } == .refusedDocument)
            #expect(await reason { try await bridge.write("{}".utf8, to: "a.txt") } == .refusedDocument)
            #expect(await reason { try await bridge.wait(for: ["a.txt"]) } == .refusedDocument)
            #expect(await reason { try await bridge.undo("0123456789ab") } == .unknownID)
            #expect(await reason { try await bridge.allow("0123456789ab") } == .unknownID)
            let choice = Choice.container(.app)
            #expect(await reason { try await bridge.resolve("0123456789ab", taking: choice) } == .unknownID)
            #expect(try await bridge.conflicts().isEmpty)
            let history = try await bridge.history()
            #expect(history.isEmpty)
            let kind = await reason { for try await _ in bridge.notices(kind: "none") {} }
            #expect(kind == .unusableSettings)
        }
    }
}
