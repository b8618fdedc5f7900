import Foundation
import Glibc
import TestBridge
import TestWorld
import Testing

@testable import Hooks

@Suite(.timeLimit(.minutes(2))) struct HookActionTests {
    private let environment = ["PATH": "/usr/bin:/bin"]

    private func failure(of action: Hook.Action, _ input: String = "") async -> HookFailure? {
        do throws(HookFailure) {
            try await Hook(name: "h", action: action).act(Array(input.utf8), environment: environment)
            return nil
        } catch {
            return error
        }
    }

    @Test func `A signal reaches the processes of that program, and no others`() async throws {
        try await withDirectory { root in
            let program = root + "/bar"
            let shell = URL(filePath: "/bin/sh").resolvingSymlinksInPath().path
            try FileManager.default.copyItem(atPath: shell, toPath: program)
            let script = "trap 'echo got; exit 0' USR1; echo on; while :; do read line; done"
            let bar = try Running(command: [program, "-c", script])
            let other = try Running(command: ["/bin/sh", "-c", script])
            #expect(await bar.line() == "on")
            #expect(await other.line() == "on")
            #expect(await failure(of: .signal(program: program, number: SIGUSR1)) == nil)
            bar.write("\n")
            #expect(await bar.line() == "got")
            other.send(SIGTERM)
            #expect(await other.ended().output == "")
            // None runs any more, which is no failure.
            #expect(await failure(of: .signal(program: program, number: SIGUSR1)) == nil)
        }
    }

    @Test(arguments: [("mine", "hook mine"), ("hook 1", "hook 1"), ("hooked", "hook hooked")])
    func `A hook is called one once, also without a name of its own`(_ name: String, listener: String) {
        #expect(Hook(name: name, action: .command(["a"])).listener == listener)
    }

    @Test func `The program of a signal must exist if it is a name`() async {
        #expect(await failure(of: .signal(program: "no-such", number: SIGUSR1)) == .noProgram("no-such"))
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK", nil), ("HTTP/1.1 204 No Content", nil),
            ("HTTP/1.1 302 Found", HookFailure.redirect(302)),
            ("HTTP/1.1 500 Internal Server Error", .status(500)), ("hello", .badAnswer),
        ] as [(String, HookFailure?)]
    )
    func `A server on a Unix socket gets the lines`(_ status: String, _ expected: HookFailure?) async throws {
        try await withDirectory { root in
            let listening = try listeningSocket(at: root + "/s")
            defer { close(listening) }
            async let failed = failure(of: .post(LocalAddress(socket: root + "/s", path: "/x")), "{}\n")
            let answer = "\(status)\r\ncontent-length: 0\r\n\r\n"
            // On a thread of its own, because it waits.
            let request = await withCheckedContinuation { continuation in
                Thread { continuation.resume(returning: Answering(listening).answer(answer)) }.start()
            }
            #expect(await failed == expected)
            #expect(request.hasPrefix("POST /x HTTP/1.1\r\n"))
            #expect(request.hasSuffix("\r\n\r\n{}\n"))
        }
    }

    @Test func `A server that does not answer is a failure`() async throws {
        let address = try #require(LocalAddress(url: "http://127.0.0.1:\(try freePort())/"))
        #expect(await failure(of: .post(address)) == .noAnswer)
        try await withDirectory { root in
            let listening = try listeningSocket(at: root + "/s")
            defer { close(listening) }
            let address = LocalAddress(socket: root + "/s", path: "/")
            let hook = Hook(name: "h", timeout: .milliseconds(100), action: .post(address))
            await #expect(throws: HookFailure.timedOut(.milliseconds(100))) {
                try await hook.act([], environment: [:])
            }
        }
    }

    @Test(
        arguments: [
            ("http://127.0.0.1:80", "/"), ("http://127.9.8.7:80/a?b", "/a?b"), ("http://[::1]:65535/", "/"),
            ("http://127.0.0.1/", nil), ("http://127.0.0.1:0/", nil), ("http://0.0.0.0:80/", nil),
            ("http://127.0.0.01:80/", nil), ("http://2130706433:80/", nil), ("http://[::2]:80/", nil),
            ("http://127.0.0.1:80/a b", nil), ("http://127.0.0.1:80/#a", nil), ("unix:/a", nil),
        ] as [(String, String?)]
    )
    func `Only addresses of this machine are taken`(_ url: String, _ path: String?) {
        #expect(LocalAddress(url: url)?.path == path)
    }
}

/// Takes one request.
private struct Answering {
    let listening: Int32

    init(_ listening: Int32) { self.listening = listening }

    /// Until the body's end.
    func answer(_ text: String) -> String {
        let connection = accept(listening, nil, nil)
        defer { close(connection) }
        var request = ""
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !request.hasSuffix("{}\n") {
            let count = unsafe read(connection, &buffer, buffer.count)
            if count <= 0 { break }
            request += String(decoding: buffer[..<count], as: UTF8.self)
        }
        _ = unsafe write(connection, text, text.utf8.count)
        return request
    }
}

private func withDirectory(_ body: (String) async throws -> Void) async throws {
    let root = "/tmp/wb-hook-\(UUID().uuidString.prefix(8))"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: root) }
    try await body(root)
}
