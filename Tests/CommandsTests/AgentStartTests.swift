import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

/// Requests that an agent must refuse: one line each, with the right exit status.
@Suite(.timeLimit(.minutes(2))) struct AgentStartTests {
    private func start(_ bridge: RealBridge, _ flags: String...) async throws -> Binary.Ended {
        let ended = try await Binary.run(["agent"] + flags)
        return Binary.Ended(
            status: ended.status,
            output: ended.output,
            errors: ended.errors.replacing(bridge.root, with: "R")
        )
    }

    private func refused(_ line: String, _ status: Int32) -> Binary.Ended {
        Binary.Ended(status: status, errors: "widgetbridge: \(line)\n")
    }

    @Test func `Containers and state directory must not contain each other`() async throws {
        try await RealBridge.with { bridge in
            let inner = "\(bridge.app)/inner"
            try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
            #expect(
                try await start(bridge, "--app", bridge.app, "--group", inner, "--state", bridge.state)
                    == refused(
                        "the containers overlap, R/app and R/app/inner; "
                            + "give two separate directories",
                        64
                    )
            )
            #expect(
                try await start(bridge, "--app", bridge.app, "--group", bridge.group, "--state", inner)
                    == refused(
                        "the state directory is inside a container, R/app/inner in R/app; "
                            + "give a --state outside of both containers",
                        64
                    )
            )
            let same = try await start(
                bridge,
                "--app",
                bridge.app,
                "--group",
                bridge.app,
                "--state",
                bridge.state
            )
            #expect(same.status == 64)
        }
    }

    @Test(arguments: ["app group", "app/inner group", "group app/inner"])
    func `A directory that a mount shows under a second name is one`(_ mount: String) async throws {
        try await RealBridge.with { bridge in
            let script = """
                mkdir -p app/inner && mount --bind \(mount) && \
                exec '\(Binary.path)' sync --app app --group group --state state
                """
            let command = Wrapper.withMounts + ["/bin/sh", "-c", "cd '\(bridge.root)' && \(script)"]
            let ended = await (try Running(command: command)).ended()
            #expect(ended.status == 64 && ended.errors.contains("the containers overlap"), "\(ended)")
        }
    }

    @Test func `A missing directory is an error`() async throws {
        try await RealBridge.with { bridge in
            let none = "\(bridge.root)/none"
            let (group, state) = (bridge.group, bridge.state)
            let ended = try await start(bridge, "--app", none, "--group", group, "--state", state)
            #expect(ended == refused("no such directory, R/none; create it, or name another", 1))
        }
    }

    @Test func `The path of the socket is short enough`() async throws {
        try await RealBridge.with { bridge in
            func state(_ length: Int) -> String {
                let rest = length - "\(bridge.root)//agent.sock".utf8.count
                return "\(bridge.root)/\(String(repeating: "x", count: rest))"
            }
            let flags = ["--app", bridge.app, "--group", bridge.group, "--state"]
            for length in [104, 107, 108, 200] {
                let ended = try await Binary.run(["agent"] + flags + [state(length)])
                let complaint = "widgetbridge: the path of the socket is longer than 103 bytes, "
                #expect(ended.status == 64 && ended.errors.hasPrefix(complaint + bridge.root))
            }
            let agent = try Running(["agent"] + flags + [state(103)])
            #expect(await agent.line() == "ready")
            let waited = try await Binary.run(["wait", "--timeout", "60s"] + flags + [state(103)])
            #expect(waited.status == 0)
        }
    }

    @Test func `systemd is notified when the agent is ready`() async throws {
        try await RealBridge.with { bridge in
            let path = "\(bridge.root)/notify"
            let descriptor = try datagramSocket(at: path)
            defer { close(descriptor) }
            let agent = try Running(["agent"] + bridge.flags, environment: ["NOTIFY_SOCKET": path])
            #expect(await receive(descriptor) == "READY=1")
            #expect(await receive(descriptor) == "STATUS=1 bridge, 0 documents")
            agent.send(SIGHUP)
            #expect(await receive(descriptor).hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
            #expect(await receive(descriptor) == "READY=1")
            #expect(await receive(descriptor) == "STATUS=1 bridge, 0 documents")
            agent.send(SIGTERM)
            #expect(await receive(descriptor) == "STOPPING=1")
            let ended = await agent.ended()
            #expect(ended.status == 0 && ended.output == "ready\n", "\(ended)")
            #expect(ended.errors.contains("no configuration file to reload"), "\(ended)")
        }
    }

    @Test func `systemd is notified regularly that the agent answers`() async throws {
        try await RealBridge.with { bridge in
            let path = "\(bridge.root)/notify"
            let descriptor = try datagramSocket(at: path)
            defer { close(descriptor) }
            let environment = ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "20000"]
            let agent = try Running(["agent"] + bridge.flags, environment: environment)
            #expect(await agent.line() == "ready")
            var told = ""
            while !told.hasPrefix("WATCHDOG") { told = await receive(descriptor) }
            #expect(told == "WATCHDOG=1\nSTATUS=1 bridge, 0 documents")
        }
    }

    @Test func `The runtime directory has a link to the socket`() async throws {
        try await RealBridge.with { bridge in
            let environment = ["RUNTIME_DIRECTORY": bridge.root]
            let agent = try Running(["agent"] + bridge.flags, environment: environment)
            #expect(await agent.line() == "ready")
            let link = "\(bridge.root)/agent.sock"
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
            #expect(target == "\(bridge.state)/agent.sock")
            try await bridge.end(agent)
            #expect(throws: (any Error).self) {
                try FileManager.default.destinationOfSymbolicLink(atPath: link)
            }
        }
    }

    @Test(arguments: ["s3 cret", "", "geheimniß"])
    func `A token that no request can contain is refused`(_ text: String) async throws {
        try await RealBridge.with { bridge in
            let token = "\(bridge.root)/token"
            try write("\(text)\n", to: token)
            #expect(unsafe chmod(token, 0o600) == 0)
            let port = ["--listen", "127.0.0.1:\(try freePort())", "--token-file", token]
            #expect(try await Binary.run(["agent"] + bridge.flags + port).status == 64)
        }
    }

    @Test func `The TCP port requires the token`() async throws {
        try await RealBridge.with { bridge in
            let token = "\(bridge.root)/token"
            try write("s3cret\n", to: token)
            #expect(unsafe chmod(token, 0o600) == 0)
            let port = try freePort()
            let agent = try await bridge.startAgent(["--listen", "127.0.0.1:\(port)", "--token-file", token])
            for (header, status) in [("", "401"), ("Authorization: Bearer s3cret\r\n", "200")] {
                let connection = try RawConnection(port: port)
                try await connection.send(
                    "GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\(header)\r\n"
                )
                #expect(await connection.receiveAll().hasPrefix("HTTP/1.1 \(status) "))
            }
            let taken = try await bridge.run("agent", "--listen", "127.0.0.1:\(port)", "--token-file", token)
            #expect(taken.status == 1)
            agent.send(SIGTERM)
            #expect(await agent.ended() == Binary.Ended(status: 0))
        }
    }

    @Test(arguments: [0o640, 0o604, 0o620] as [mode_t])
    func `A token file that others can read or write is refused`(_ mode: mode_t) async throws {
        try await RealBridge.with { bridge in
            let token = "\(bridge.root)/token"
            try write("s3cret\n", to: token)
            #expect(unsafe chmod(token, mode) == 0)
            let port = ["--listen", "127.0.0.1:\(try freePort())", "--token-file", token]
            let ended = try await Binary.run(["agent"] + bridge.flags + port)
            let line = "others can read or write the token, \(token); `chmod go= \(token)`"
            #expect(ended == refused(line, 64))
            #expect(!FileManager.default.fileExists(atPath: bridge.state))
        }
    }

    private func receive(_ descriptor: Int32) async -> String {
        await onThread {
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = unsafe buffer.withUnsafeMutableBytes {
                unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
            }
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
