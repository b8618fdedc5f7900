import Foundation
import Processes
import TestWorld
import Testing

@Suite(
    "What passes the gates of a race",
    .serialized,
    .enabled(if: GatedProgram.refusal(trying: Binary.path) == nil, "the system refuses a filter")
)
struct RaceEscapeTests {
    private func race(_ app: String, in directory: String) async throws -> Binary.Ended {
        let bridge = ["--bridge", "exec tail -f /dev/null", "--patience", "60s"]
        return await
            (try Running(["race", "run", "--app", app] + bridge, environment: ["TMPDIR": directory]))
            .ended()
    }

    /// The lab looks at what a call through a gate has changed before the next one.
    private static let removal = ": > seen; rm a.json"

    private static func works(_ command: String) -> Bool {
        (try? Running(command: ["/bin/sh", "-c", command]).waitForEnd().status) == 0
    }

    @Test("a process that outlives its command, and would save later, leaves the verdict open")
    func daemon() async throws {
        try await withDirectory { top in
            let later =
                "setsid sh -c 'sleep 60; echo 2 > .new; mv .new a.json' > /dev/null 2>&1 < /dev/null &"
            let arguments = ["race", "run", "--app", "echo 1 > .new; mv .new a.json; \(later)"]
            let bridge = ["--bridge", "exec tail -f /dev/null", "--patience", "500ms"]
            let ended = await (try Running(arguments + bridge, environment: ["TMPDIR": top])).ended()
            #expect(ended.output.contains("a process of app was still running after its command"), "\(ended)")
            #expect(ended.output.contains("left processes running, which may save after"), "\(ended)")
        }
    }

    @Test(
        "a change under another name, by a mount of its own, leaves the verdict open",
        .enabled(if: works("unshare -m mount --bind /tmp /mnt 2> /dev/null"), "this takes root's rights")
    )
    func mounted() async throws {
        try await withDirectory { top in
            let app = "unshare -m sh -c 'mount --bind . /mnt && echo 1 > /mnt/a.json'; \(Self.removal)"
            let ended = try await race(app, in: top)
            // The lab may see the file when it is made, and again when it is filled.
            let escape =
                /escaped +app:a.json changed at step \d+(, and documents at 1 other step)?, by no call/
            #expect(ended.output.contains(escape), "\(ended)")
            #expect(ended.status == 2 && ended.output.contains("passed no gate: who made it"), "\(ended)")
        }
    }

    #if arch(x86_64)
        @Test("calls of 32-bit code are said, and what they change leaves the verdict open")
        func otherCalls() async throws {
            try await withDirectory { top in
                let program = "\(top)/old"
                try Data(Self.oldCalls).write(to: URL(filePath: program))
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
                // A kernel may be built without these calls.
                guard Self.works("cd \(top) && ./old && rm a.json") else { return }
                let ended = try await race("\(program); \(Self.removal)", in: top)
                #expect(ended.output.contains("app makes system calls of another architecture"), "\(ended)")
                #expect(ended.status == 2 && ended.output.contains("passed no gate: who made it"), "\(ended)")
            }
        }
    #endif

    /// A program of two calls by `int 0x80`: `creat("a.json", 0644)` and `exit(0)`.
    private static let oldCalls: [UInt8] = {
        func bytes(_ value: UInt64, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        }
        let (base, headers): (UInt64, UInt64) = (0x40_0000, 64 + 56)
        var code: [UInt8] = [0xb8] + bytes(8, 4)
        code += [0xbb] + bytes(base + headers + 32, 4) + [0xb9] + bytes(0o644, 4) + [0xcd, 0x80]
        code += [0x31, 0xdb, 0xb8] + bytes(1, 4) + [0xcd, 0x80]
        code += [UInt8](repeating: 0x90, count: 32 - code.count) + Array("a.json\0".utf8)
        let size = headers + UInt64(code.count)
        // ELF, 64 bits, for x86-64; then the one part that is loaded.
        var file: [UInt8] = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
        file += bytes(2, 2) + bytes(62, 2) + bytes(1, 4) + bytes(base + headers, 8) + bytes(64, 8)
        file += bytes(0, 8) + bytes(0, 4) + bytes(64, 2) + bytes(56, 2) + bytes(1, 2) + bytes(0, 6)
        file += bytes(1, 4) + bytes(5, 4) + bytes(0, 8) + bytes(base, 8) + bytes(base, 8)
        file += bytes(size, 8) + bytes(size, 8) + bytes(0x1000, 8)
        return file + code
    }()
}
