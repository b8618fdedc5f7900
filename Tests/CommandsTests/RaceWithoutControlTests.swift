import Foundation
import TestWorld
import Testing

@Suite("race run where the system does not let it control the order of system calls")
struct RaceWithoutControlTests {
    private let idle = ["--bridge", "exec tail -f /dev/null", "--patience", "10ms"]

    /// Runs these commands where no filter can be installed: the kernel gives a process one listener, so
    /// a race within a race finds it taken. Where the system allows none, that holds without the outer race,
    /// too.
    private func within(_ top: String, _ script: String) async throws {
        let outer = idle + ["--app", "\(script); true", "--limit", "60s"]
        _ = await (try Running(["race", "run"] + outer)).ended()
    }

    @Test("the programs are stopped instead, and the report says so; what needs the order is refused")
    func fallback() async throws {
        try await withDirectory { top in
            let inner = #""$WIDGETBRIDGE_PROGRAM" race run \#(idle.map { "'\($0)'" }.joined(separator: " "))"#
            let plain = "\(inner) --app 'echo 1 > a' > \(top)/plain 2>&1"
            let asked = "\(inner) --app true --control calls > \(top)/asked 2>&1; echo $? >> \(top)/asked"
            let saving = "\(inner) --app true --save \(top)/race.json > \(top)/saving 2>&1"
            try await within(top, "\(plain); \(asked); \(saving)")
            func text(_ name: String) throws -> String {
                try String(contentsOfFile: "\(top)/\(name)", encoding: .utf8)
            }
            #expect(try text("plain").contains("control   stops: "))
            #expect(try text("asked").contains("cannot be controlled") && text("asked").hasSuffix("64\n"))
            #expect(try text("saving").contains("nothing was saved"))
            #expect(!FileManager.default.fileExists(atPath: "\(top)/race.json"))
        }
    }
}
