import AgentClient
import BridgeRuntime
import Foundation
import Glibc
import Model
import TestBridge
import TestWorld
import Testing

/// A real agent whose containers a test attacks, and the conditions that must hold afterwards: `wait`
/// succeeds, and both sides equal the disk.
struct Attacked: Sendable {
    let bridge: RealBridge
    let agent: Running
    /// The path of the agent's containers as seen from the test.
    let view: String

    /// With enough patience for a busy machine.
    var client: AgentClient {
        AgentClient(socketPath: "\(view)\(bridge.state)/agent.sock", grace: .seconds(60))
    }
    /// The number of documents that the test does not touch: if one is lost, too much was deleted.
    static let bystanders = 40

    /// - Parameters:
    ///   - prepare: A shell line that runs beside the containers before the agent starts.
    ///   - mount: A shell line that runs there in the agent's namespaces.
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

    /// If the system forbids this, the test reports that and is not counted.
    private static func require(_ wrapper: [String]) async throws {
        let ended = try await Running(command: wrapper + ["/bin/true"]).ended()
        if ended.status != 0 { try Test.cancel("not allowed here: \(wrapper[0]): \(ended.errors)") }
    }

    /// Runs a bash line in the directory with `app`, `group` and the test's other files.
    @discardableResult
    func shell(_ line: String) async throws -> String { try await Self.shell(line, in: bridge.root) }

    @discardableResult
    static func shell(_ line: String, in directory: String) async throws -> String {
        let ended = try await Running(command: ["/bin/bash", "-c", line], in: directory).ended()
        try #require(ended.status == 0, "\(line): \(ended.errors)")
        return ended.output
    }

    /// Runs a line in the namespaces of the agent.
    func shellInside(_ line: String) async throws {
        let line = "cd '\(bridge.root)' && \(line)"
        let ended = try await Running(command: Wrapper.inside(agent.identifier, line)).ended()
        try #require(ended.status == 0, "\(line): \(ended.errors)")
    }

    func path(_ side: Side) -> String { view + (side == .app ? bridge.app : bridge.group) }

    /// The documents of a side by name.
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

    /// The bridge's own files in the containers.
    func leftovers() -> [String] {
        Side.allCases.flatMap { side in
            (FileManager.default.enumerator(atPath: path(side))?.compactMap { $0 as? String } ?? [])
                .filter { $0.contains(".widgetbridge") }
        }
    }

    func wait(rehash: Bool = false) async throws {
        try await client.wait(timeout: .seconds(60), rehash: rehash)
    }

    /// Why `wait` fails; `nil` if it succeeds.
    func refusal() async -> BridgeError? {
        do throws(BridgeError) { try await client.wait(timeout: .seconds(60), rehash: false) } catch {
            return error
        }
        return nil
    }

    /// Waits, and checks that both sides equal the content that this side had.
    ///
    /// - Parameter count: The number of its documents besides the untouched ones.
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

    /// The agent's helper process.
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

/// Repeats until the condition holds, or a minute has passed.
func eventually(_ isSo: () async throws -> Bool) async throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try await isSo() { return true }
        await Task.yield()
    }
    return false
}
