import ArgumentParser
import Testing

@testable import Commands

@Suite struct HelpTests {
    private static let commands = [
        [], ["agent"], ["sync"], ["wait"], ["status"], ["why"], ["history"],
        ["conflicts"], ["undo"], ["allow"], ["get"], ["put"], ["subscribe"], ["json"],
        ["event"], ["event", "push"], ["event", "pull"], ["event", "ack"], ["event", "list"],
        ["json", "check"], ["json", "hash"], ["json", "diff"], ["json", "patch"], ["json", "merge"],
        ["migrate"], ["migrate", "status"], ["migrate", "plan"], ["migrate", "apply"], ["migrate", "verify"],
        ["migrate", "rollback"], ["migrate", "lint"],
        ["reloads"], ["reloads", "show"], ["reloads", "simulate"], ["app-state"],
        ["widget"], ["widget", "add"], ["widget", "list"], ["widget", "remove"],
        ["profile"], ["profile", "list"], ["profile", "show"], ["profile", "lint"],
        ["race"], ["race", "explore"], ["race", "run"], ["race", "replay"], ["race", "presets"],
        ["race", "show"], ["race", "observe"], ["doctor"],
    ]

    @Test(arguments: commands)
    func `Every page has one example and ends with the exit statuses`(_ command: [String]) async throws {
        let page = await run(command + ["--help"])
        #expect(page.status == .done && page.errors.isEmpty)
        #expect(page.output.split(separator: "EXAMPLE:\n  widgetbridge ").count == 2)
        let end = try #require(page.output.split(separator: "\n\n").last)
        #expect(end.hasPrefix("EXIT STATUS:\n  0   "))
        #expect(end.contains("  64  wrong usage"))
        #expect(await run(["help"] + command) == page)
        // The parser determines the length of the usage line.
        let wide = page.output.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("USAGE: ") }
        #expect(wide == [])
    }

    @Test func `On a narrow terminal the usage and the exit statuses are wrapped`() async throws {
        let page = await run(["race", "replay", "--help"], columns: 40).output
        let usage = page.split(separator: "\n").drop { !$0.hasPrefix("USAGE: ") }.prefix { !$0.isEmpty }
        #expect(usage.prefix(3).allSatisfy { $0.count <= 40 }, "\(page)")
        let end = try #require(page.split(separator: "EXIT STATUS:\n").last)
        #expect(end.split(separator: "\n").allSatisfy { $0.count <= 40 }, "\(page)")
    }

    @Test(
        arguments: commands.filter {
            ![[], ["event"], ["json"], ["migrate"], ["profile"], ["race"], ["reloads"], ["widget"]].contains(
                $0
            )
        }
    )
    func `Every example is accepted`(_ command: [String]) async throws {
        let page = await run(command + ["--help"]).output
        let example = try #require(page.split(separator: "EXAMPLE:\n").last?.split(separator: "\n").first)
        let words = example.split { "<>".contains($0) }[0].split(separator: " ").dropFirst().map(String.init)
        let parsed = try WidgetBridgeCommand.parseAsRoot(words)
        #expect(parsed is any Command)
    }

    @Test func `Commands that do not exist are not listed`() async {
        let page = await run(["--help"]).output
        #expect(!page.contains("  dashboard  "))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `A shell can complete commands and options`(_ shell: String) async {
        let script = await run(["--generate-completion-script", shell])
        #expect(script.status == .done && script.output.contains("subscribe"))
    }
}
