import Foundation
import TestWorld
import Testing

/// `doctor` on the hooks of a configuration, which no agent need run.
@Suite(.timeLimit(.minutes(2))) struct DoctorHookTests {
    /// Errors and warnings with the place of each in the configuration.
    private func found(_ hooks: [String]) async throws -> [DoctorLine] {
        try await RealBridge.with { bridge in
            let file = "\(bridge.root)/widgetbridge.yaml"
            let text = """
                app: app
                group: group
                state: state
                profile: budget
                hooks:

                """
            try write(text + hooks.map { "  - \($0)\n" }.joined(), to: file)
            let ended = try await Binary.run(["doctor", "--config", file, "--format", "json"])
            return try DoctorLine.all(ended.output).filter { $0.rule == "hook" }.map { line in
                var line = line
                line.place = line.place.replacingOccurrences(of: bridge.root + "/", with: "")
                return line
            }
        }
    }

    @Test func `A hook that keeps an agent from starting is an error with its line`() async throws {
        let found = try await found([
            "{command: [ls], kind: Nope}", "{command: [ls], document: notes.txt}",
            "{command: [ls], kind: BudgetWidget, document: budget.json}",
        ])
        #expect(found.map(\.severity) == ["error", "error"])
        #expect(found.map(\.place) == ["widgetbridge.yaml:6", "widgetbridge.yaml:7"])
        #expect(found.first?.what == "the hook `hook 1` would never run: unknown widget kind, `Nope`")
        #expect(found.first?.advice.contains("BudgetWidget") == true, "\(found)")
        #expect(found.last?.what.contains("notes.txt") == true, "\(found)")
    }

    @Test func `A program that cannot be started is a warning`() async throws {
        let found = try await found([
            "{command: [no-such-program]}", "{command: [/etc/passwd]}", "{command: [/etc]}",
            "{signal: {program: /no/such/bar, number: USR1}}", "{post: 'http://127.0.0.1:1/x'}",
            "{command: [/bin/true]}", "{signal: {program: sh, number: HUP}}",
        ])
        #expect(found.map(\.severity) == Array(repeating: "warning", count: 4))
        #expect(
            found.map(\.what) == [
                "the hook `hook 1` cannot run: no program `no-such-program` in PATH",
                "the hook `hook 2` cannot run: cannot start /etc/passwd: Permission denied",
                "the hook `hook 3` cannot run: cannot start /etc: Is a directory",
                "the hook `hook 4` cannot run: cannot start /no/such/bar: No such file or directory",
            ]
        )
    }
}
