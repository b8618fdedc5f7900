import Foundation
import TestWorld
import Testing

/// The scripts for people; their helpers are in directories.
private func scripts() throws -> [String] {
    try Project.names(in: "Scripts").filter { name in
        var isDirectory: ObjCBool = false
        let path = Project.root.appending(path: "Scripts/\(name)").path
        return unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            && !isDirectory.boolValue
    }
}

@Suite("Scripts")
struct ScriptsTests {
    @Test("have a help text with their exit statuses")
    func help() async throws {
        for name in try scripts() {
            let help = try await output(of: Project.root.appending(path: "Scripts/\(name)").path, ["--help"])
            #expect(help.status == 0, "\(name)")
            #expect(help.text.hasPrefix("Scripts/\(name): "))
            #expect(help.text.contains("\nExit status: 0 "), "\(name)")
        }
    }

    @Test("refuse unknown arguments in one line, and do nothing")
    func misuse() async throws {
        for name in try scripts() {
            let found = try await output(
                of: Project.root.appending(path: "Scripts/\(name)").path,
                ["--unheard-of"]
            )
            #expect(found.status == 64, "\(name)")
            #expect(
                found.text == "Scripts/\(name): unknown argument: --unheard-of; try Scripts/\(name) --help\n"
            )
        }
    }

    @Test("compile what measures")
    func benchmarks() async throws {
        let common = Project.root.appending(path: "Scripts/support/common.sh").path
        let script = """
            source '\(common)' && source "$repository/Scripts/support/policy.sh" && in_workspace
            check() { swiftc -typecheck -parse-as-library -suppress-warnings -package-name widgetbridge "$@" 2>&1; }
            check $(documents_core) "$repository/Scripts/support/MigrationBenchmark.swift" &&
                check "$repository"/Sources/Documents/Text/*.swift "$repository/Scripts/support/ParseBenchmark.swift" &&
                compile_policy "$workspace" 2>&1 &&
                clang -fsyntax-only "$repository"/Scripts/support/*.c 2>&1 && echo compiles
            """
        #expect(try await output(of: "/bin/bash", ["-c", script]).text == "compiles\n")
    }

    @Test("end the processes they started, and no process that got the same ID later")
    func stop() async throws {
        let stranger = try Running(command: ["/usr/bin/tail", "-f", "/dev/null"])
        let common = Project.root.appending(path: "Scripts/support/common.sh").path
        let script = """
            source '\(common)'; stop \(stranger.identifier)
            tail -f /dev/null & stop $!; kill -0 $! 2>/dev/null || echo gone
            """
        let found = try await output(of: "/bin/bash", ["-c", script])
        #expect(found.text == "gone\n")
        stranger.send(SIGKILL)
        #expect(stranger.waitForEnd().status == 128 + SIGKILL)
    }

    @Test(
        "report a failed run of the tests, its failures at the end",
        arguments: [
            (["✘ Test a failed", "✘ Test b recorded a known issue", "✔ Test c passed"], ["✘ Test a failed"]),
            (["error: Exited with unexpected signal code 11"], []),
        ]
    )
    func failedRun(printed: [String], repeated: [String]) async throws {
        try await withTemporaryDirectory { directory in
            let swift = directory.appending(path: "swift").path
            let lines = printed.map { "'\($0)'" }.joined(separator: " ")
            let script = "#!/bin/bash\n[[ $1 == build ]] && exit\nprintf '%s\\n' \(lines)\nexit 1\n"
            try Data(script.utf8).write(to: URL(filePath: swift))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: swift)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let found = try await output(
                of: Project.root.appending(path: "Scripts/test").path,
                environment: ["PATH": "\(directory.path):\(path)"]
            )
            let end = found.text.components(separatedBy: "What failed:\n").last ?? ""
            #expect(found.status == 1, "\(found.text)")
            #expect(
                end.hasPrefix(repeated.map { "\($0)\n" }.joined() + "Scripts/test: FAILED"),
                "\(found.text)"
            )
        }
    }

    @Test("install the programs, and remove all of them")
    func install() async throws {
        let binaries = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path
        let found = try await output(
            of: Project.root.appending(path: "Scripts/install-check").path,
            environment: ["WIDGETBRIDGE_BIN": binaries]
        )
        #expect(found.status == 0, "\(found.text)")
        #expect(found.text.hasSuffix("Scripts/install-check: every check passes\n"))
    }

    @Test("build the documentation without a warning", .timeLimit(.minutes(5)))
    func docs() async throws {
        try await withTemporaryDirectory { directory in
            let site = directory.appending(path: "docs").path
            let found = try await output(
                of: Project.root.appending(path: "Scripts/docs").path,
                ["--output", site],
                environment: ["WIDGETBRIDGE_BIN": Project.binaries.path]
            )
            #expect(found.status == 0, "\(found.text)")
            #expect(FileManager.default.fileExists(atPath: "\(site)/documentation/widgetbridge/index.html"))
        }
    }

    @Test("report missing programs at the start")
    func withoutPrograms() async throws {
        for name in ["demo", "bench", "soak"] {
            let found = try await output(
                of: Project.root.appending(path: "Scripts/\(name)").path,
                environment: ["WIDGETBRIDGE_BIN": "/nonexistent"]
            )
            #expect(found.status == 1)
            #expect(found.text.contains("no widgetbridge in /nonexistent"))
        }
    }
}
