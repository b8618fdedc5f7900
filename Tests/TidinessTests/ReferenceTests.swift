import Foundation
import Testing

/// The reference pages are complete.
@Suite("The reference in the documentation")
struct ReferenceTests {
    @Test("has each setting of a bridge")
    func settings() async throws {
        let help = try await help(["help", "agent"])
        let options = help.matches(of: /\n +--([a-z-]+)/).map { String($0.1) }
        try expect("Configuration", has: options.filter { $0 != "version" })
    }

    @Test("has each command, and only existing ones")
    func commands() async throws {
        let commands = subcommands(in: try await help(["--help"]))
        try expect("CommandLine", has: commands)
        for command in commands {
            try expect("CommandLine", has: subcommands(in: try await help(["help", command])))
        }
    }

    @Test("has each route of the agent")
    func routes() throws {
        let sources = try Project.swiftFiles(in: "Sources/AgentServer").map(\.text).joined()
        let routes = sources.matches(of: /\.on\("(v1\/[^"]*)", \.(get|put|post|delete)/).map {
            "\($0.2.uppercased()) /\($0.1)".replacing("**", with: "NAME").replacing(":id", with: "ID")
        }
        #expect(routes.count > 10)
        try expect("HTTPAPI", has: routes)
    }

    @Test("has each lens")
    func lenses() throws {
        let reader = try Project.text(of: "Sources/Documents/Profiles/LensReader.swift")
        let lenses = reader.matches(of: /\n *case "(\w+)":/).map { "\($0.1):" }
        #expect(lenses.count > 10)
        try expect("Profiles", has: lenses)
    }

    private func help(_ arguments: [String]) async throws -> String {
        try await output(of: Project.binaries.appending(path: "widgetbridge").path, arguments).text
    }

    private func subcommands(in help: String) -> [String] {
        guard let list = help.components(separatedBy: "\nSUBCOMMANDS:").dropFirst().first else { return [] }
        return list.matches(of: /\n  ([a-z]+)\s/).map { String($0.1) }
    }

    /// In code font, alone or followed by its arguments.
    private func expect(_ article: String, has words: [String]) throws {
        #expect(!words.isEmpty || article == "CommandLine")
        let text = try Project.text(of: "\(DocumentationPage.catalogue)/\(article).md")
        for word in words {
            let isThere = ["`", " "].contains {
                text.contains("`\(word)\($0)") || text.contains("`--\(word)\($0)")
            }
            #expect(isThere, "\(article).md does not say what `\(word)` is")
        }
    }
}
