import BridgeRuntime
import Foundation
import Glibc
import Model
import TestBridge
import TestWorld
import Testing

/// Malicious or very many clients of the real agent's socket.
@Suite(.serialized, .timeLimit(.minutes(2))) struct HostileSocketTests {
    private func connect(_ attacked: Attacked) throws -> RawConnection {
        try RawConnection(socketPath: "\(attacked.bridge.state)/agent.sock")
    }

    @Test func `another user is refused, even if the socket's mode would allow access`() async throws {
        try await Attacked.with { attacked in
            if Wrapper.unprivileged.isEmpty { try Test.cancel("only root can be another user") }
            try await attacked.shell("chmod 755 . state")
            let wait = ["wait"] + attacked.bridge.flags
            let closed = try await Running(wait, through: Wrapper.unprivileged).ended()
            #expect(closed.status == 1)
            try await attacked.shell("chmod 666 state/agent.sock")
            let refused = try await Running(wait, through: Wrapper.unprivileged).ended()
            #expect(refused.status == 1 && refused.errors.contains("this socket belongs to another user"))
            try await attacked.expectSame(0)
        }
    }

    @Test func `a thousand subscribers all get the notice, and one that never reads delays no other`()
        async throws
    {
        try Self.allowManyDescriptors()
        let soft = ["/usr/bin/prlimit", "--nofile=256:8192"]
        try await Attacked.with(through: soft) { attacked in
            let before = try attacked.descriptors()
            let deaf = try connect(attacked)
            try await deaf.send("GET /v1/reloads HTTP/1.1\r\nHost: x\r\n\r\n")
            var subscribers: [RawConnection] = []
            // The one that never reads is the thousandth.
            for _ in 0..<999 {
                let subscriber = try connect(attacked)
                try await subscriber.send("GET /v1/reloads?document=b1.json HTTP/1.1\r\nHost: x\r\n\r\n")
                subscribers.append(subscriber)
            }
            for subscriber in subscribers {
                #expect(await subscriber.receive(until: "current").contains("current"))
            }
            for number in 1...3 {
                try await attacked.shell("echo 10\(number) > app/b1.json; echo \(number) > app/b2.json")
                try await attacked.wait()
            }
            let hash = Digest(of: Array("103\n".utf8)).description
            for subscriber in subscribers { #expect(await subscriber.receive(until: hash).contains(hash)) }
            for subscriber in subscribers { subscriber.hangUp() }
            deaf.hangUp()
            #expect(try await eventually { try attacked.descriptors() <= before + 2 })
        }
    }

    private static func allowManyDescriptors() throws {
        var limit = rlimit()
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 8_192)
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        if limit.rlim_cur < 4_096 { try Test.cancel("too few descriptors are allowed here") }
    }

    @Test func `truncated requests leave nothing behind`() async throws {
        try await Attacked.with { attacked in
            let before = try attacked.descriptors()
            let whole = "PUT /v1/documents/b1.json HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"a\":"
            for length in stride(from: 1, through: whole.utf8.count, by: 1) {
                let connection = try connect(attacked)
                try await connection.send(String(whole.prefix(length)))
                connection.hangUp()
            }
            try await attacked.expectSame(0)
            #expect(try await eventually { try attacked.descriptors() <= before + 2 })
        }
    }

    @Test func `the agent ends although requests are incomplete`() async throws {
        try await RealBridge.with { bridge in
            let agent = try await bridge.startAgent()
            var connections: [RawConnection] = []
            for head in ["PUT /v1/documents/a.json", "POST /v1/wait", "POST /v1/sync", "GET /v1/status"] {
                let connection = try RawConnection(socketPath: "\(bridge.state)/agent.sock")
                try await connection.send("\(head) HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{\"a\":")
                connections.append(connection)
            }
            // A later request is answered after these were accepted.
            #expect(try await bridge.wait().status == 0)
            let begun = ContinuousClock.now
            try await bridge.end(agent)
            #expect(ContinuousClock.now - begun < .seconds(8), "it waited for what will not come")
            #expect(await connections[0].receiveAll().hasPrefix("HTTP/1.1 503 "))
        }
    }

    @Test func `a header of a gigabyte is refused long before its end`() async throws {
        try await Attacked.with { attacked in
            let before = try attacked.memory()
            let connection = try connect(attacked)
            try await connection.send("GET /v1/status HTTP/1.1\r\nHost: x\r\nX: ")
            let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
            var sent = 0
            while sent < 1_024, (try? await connection.send(chunk)) != nil { sent += 1 }
            #expect(sent < 16, "\(sent) megabytes were taken")
            #expect(try attacked.memory() < before + 20_000)
            try await attacked.expectSame(0)
        }
    }
}
