import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Model
import TestBridge
import TestWorld
import Testing

/// A real agent with containers that a test does its worst to, and what must be true after that: `wait` says
/// so, and both sides are what is on the disk.
struct Attacked: Sendable {
    let bridge: RealBridge
    let agent: Running
    /// Where the agent's containers are seen from here.
    let view: String

    /// It waits for an answer however busy the machine is: what a test asks is what the agent says.
    var client: AgentClient {
        AgentClient(socketPath: "\(view)\(bridge.state)/agent.sock", grace: .seconds(60))
    }
    /// The document of a bystander: if it goes, too much went.
    static let bystanders = 40

    /// - Parameters:
    ///   - prepare: a shell line that is run beside the containers before the agent starts.
    ///   - mount: one that is run there in the agent's own surroundings.
    static func with(
        _ flags: String...,
        through wrapper: [String] = [],
        prepare: String = ":",
        mount: String? = nil,
        _ body: (Attacked) async throws -> Void
    ) async throws {
        if !wrapper.isEmpty { try await require(wrapper) }
        try await RealBridge.with { bridge in
            try await shell("for n in $(seq \(bystanders)); do echo $n > app/b$n.json; done", in: bridge.root)
            try await shell(prepare, in: bridge.root)
            let inside = mount.map { ["/bin/sh", "-c", "cd '\(bridge.root)' && \($0) && exec \"$@\"", "sh"] }
            let agent = try await bridge.startAgent(flags, through: wrapper + (inside ?? []))
            let view = wrapper.contains("--mount") ? "/proc/\(agent.identifier)/root" : ""
            let attacked = Attacked(bridge: bridge, agent: agent, view: view)
            do { try await body(attacked) } catch {
                agent.send(SIGKILL)
                throw error
            }
            #expect(attacked.leftovers().isEmpty)
            agent.send(SIGTERM)
            let ended = await agent.ended()
            #expect(ended.status == 0, "\(ended.errors)")
        }
    }

    /// Where the system allows none of this, the test says so and is not counted.
    private static func require(_ wrapper: [String]) async throws {
        let ended = try await Running(command: wrapper + ["/bin/true"]).ended()
        if ended.status != 0 { try Test.cancel("not allowed here: \(wrapper[0]): \(ended.errors)") }
    }

    /// A line for bash, run in the directory that holds `app`, `group` and whatever else the test makes.
    @discardableResult
    func shell(_ line: String) async throws -> String { try await Self.shell(line, in: bridge.root) }

    @discardableResult
    static func shell(_ line: String, in directory: String) async throws -> String {
        let ended = try await Running(command: ["/bin/bash", "-c", line], in: directory).ended()
        try #require(ended.status == 0, "\(line): \(ended.errors)")
        return ended.output
    }

    /// The same in the namespaces of the agent.
    func shellInside(_ line: String) async throws {
        let line = "cd '\(bridge.root)' && \(line)"
        let ended = try await Running(command: Wrapper.inside(agent.identifier, line)).ended()
        try #require(ended.status == 0, "\(line): \(ended.errors)")
    }

    func path(_ side: Side) -> String { view + (side == .app ? bridge.app : bridge.group) }

    /// The documents of a side by their names.
    func documents(_ side: Side) -> [String: String] {
        var found: [String: String] = [:]
        let top = path(side) + "/./"
        for name in FileManager.default.enumerator(atPath: top)?.compactMap({ $0 as? String }) ?? []
        where name.hasSuffix(".json") {
            guard let bytes = FileManager.default.contents(atPath: top + name) else { continue }
            found[name] = String(decoding: bytes, as: UTF8.self)
        }
        return found
    }

    /// What the bridge has put into the containers for itself.
    func leftovers() -> [String] {
        Side.allCases.flatMap { side in
            (FileManager.default.enumerator(atPath: path(side))?.compactMap { $0 as? String } ?? [])
                .filter { $0.contains(".widgetbridge") }
        }
    }

    func wait(rehash: Bool = false) async throws {
        try await client.wait(timeout: .seconds(60), rehash: rehash)
    }

    /// Why `wait` says no; `nil` where it says yes.
    func refusal() async -> BridgeError? {
        do throws(BridgeError) { try await client.wait(timeout: .seconds(60), rehash: false) } catch {
            return error
        }
        return nil
    }

    /// Once `wait` has returned, the disk is as that side had it, on both sides.
    ///
    /// - Parameter count: of its documents, beside those of bystanders.
    func expectSame(
        as side: Side = .app,
        _ count: Int,
        rehash: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let disk = documents(side)
        try await wait(rehash: rehash)
        #expect(disk.count == Self.bystanders + count, sourceLocation: sourceLocation)
        for side in Side.allCases {
            let differing = difference(documents(side), disk)
            #expect(differing.isEmpty, "\(side): \(differing.prefix(3))", sourceLocation: sourceLocation)
        }
    }

    private func difference(_ found: [String: String], _ disk: [String: String]) -> [String] {
        Set(found.keys).union(disk.keys).filter { found[$0] != disk[$0] }.sorted()
    }

    /// The process that the agent has started.
    func helper() throws -> Int32 {
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
            guard let id = Int32(name),
                let status = FileManager.default.contents(atPath: "/proc/\(name)/status")
            else { continue }
            let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
            if lines.contains("PPid:\t\(agent.identifier)") { return id }
        }
        throw Gone()
    }
}

/// Asks again until it is so, or a minute has gone by.
func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try await isSo() { return true }
        await Task.yield()
    }
    return false
}
