import Foundation
import TestWorld
import Testing
import WidgetBridge
import WidgetBridgeTesting

@Suite("README")
struct ReadmeTests {
    @Test("has a limited number of lines")
    func length() throws {
        let lines = try Project.text(of: DocumentationPage.readme).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        #expect(lines.count - 1 <= 150)
    }

    @Test("shows the program at work")
    func commands() throws {
        #expect(DocumentationPage(try Project.text(of: DocumentationPage.readme)).commands.count > 10)
    }
}

@Suite("Documentation")
struct DocumentationTests {
    @Test("shows what its commands print", .timeLimit(.minutes(5)), arguments: try DocumentationPage.all)
    func commands(of page: DocumentationPage) async throws {
        try await withTemporaryDirectory { directory in
            try FileManager.default.createSymbolicLink(
                at: directory.appending(path: "Scripts"),
                withDestinationURL: Project.root.appending(path: "Scripts")
            )
            let outputs = try await shell(in: directory).outputs(of: page.commands)
            #expect(outputs.count == page.commands.count)
            for (command, printed) in zip(page.commands, outputs) {
                #expect(
                    matches(shown: command.output, printed: printed),
                    "\(page.path):\(command.line): \(command.text)\n\(printed.joined(separator: "\n"))"
                )
            }
        }
    }

    private func shell(in directory: URL) -> Shell {
        let binaries = Project.binaries.path
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return Shell(
            directory: directory,
            environment: [
                "HOME": directory.path,
                "PATH": "\(binaries):\(path)",
                "WIDGETBRIDGE_BIN": binaries,
                "XDG_STATE_HOME": directory.appending(path: ".state").path,
            ]
        )
    }

    @Test("has only Swift examples that are compiled")
    func examples() throws {
        let compiled = unindented(try Project.text(of: "Tests/TidinessTests/LibraryExample.swift"))
        for page in try DocumentationPage.all {
            for example in page.examples where !example.isProgram {
                #expect(compiled.contains(unindented(example)), "\(page.path)")
            }
        }
    }

    @Test("has only Swift programs that another package can compile as they are printed")
    func programs() async throws {
        let programs = try DocumentationPage.all.flatMap(\.examples).filter(\.isProgram)
        #expect(programs.count >= 2)
        for program in programs {
            try await withTemporaryDirectory { directory in
                let file = directory.appending(path: "main.swift")
                try Data(program.utf8).write(to: file)
                let modules = Project.binaries.appending(path: "Modules").path
                let arguments =
                    ["-typecheck", "-swift-version", "6", "-I", modules] + clangModules + [file.path]
                let ended = try await output(
                    of: "/usr/bin/env",
                    ["swiftc"] + arguments,
                    in: directory,
                    environment: ProcessInfo.processInfo.environment
                )
                #expect(ended.status == 0, "\(program)\n\(ended.text)")
            }
        }
    }

    @Test("links to existing files")
    func links() throws {
        for page in try DocumentationPage.all {
            let directory = URL(filePath: "/\(page.path)").deletingLastPathComponent()
            for link in page.text.matches(of: /\]\(([^):]+)\)/) {
                let file = directory.appending(path: String(link.1)).path
                let isThere = FileManager.default.fileExists(atPath: Project.root.path + file)
                #expect(isThere, "\(page.path) leads to \(link.1)")
            }
        }
    }

    @Test("has a glossary of at most 25 words")
    func glossary() throws {
        let rows = try Project.text(of: "\(DocumentationPage.catalogue)/Glossary.md").split(separator: "\n")
            .filter { $0.hasPrefix("| ") }
        // The first two rows are the table's head.
        #expect(1...25 ~= rows.count - 2)
    }

    /// The C modules that the compiled ones name: those of the sources, and those that SwiftPM describes.
    private var clangModules: [String] {
        let files = FileManager.default
        let sources = ["Sources", ".build/checkouts"].map { Project.root.appending(path: $0).path }
        let maps =
            sources.flatMap { directory in
                (files.enumerator(atPath: directory)?.allObjects ?? []).compactMap { $0 as? String }
                    .filter { $0.hasSuffix("/module.modulemap") }.map { "\(directory)/\($0)" }
            }
            + ((try? files.contentsOfDirectory(atPath: Project.binaries.path)) ?? [])
            .map { Project.binaries.appending(path: "\($0)/module.modulemap").path }
            .filter { files.fileExists(atPath: $0) }
        return maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    private func unindented(_ text: String) -> String {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: "\n")
    }
}

/// The Swift examples of the pages are compiled and run.
@Suite("Documentation's examples")
struct LibraryExampleTests {
    @Test("use a bridge")
    func bridge() async throws {
        try await withContainers { app, group, state in
            let notices = try await showBudget(app: app, group: group, state: state, budget: try budget())
            #expect(notices.map(\.kind) == ["BudgetWidget"])
            #expect(notices.map(\.cause) == [.current])
        }
    }

    @Test("use a bridge of an agent, and read a document in a widget")
    func agent() async throws {
        try await withContainers { app, group, state in
            let balances = try Project.text(of: "Scripts/support/documents/balances.json")
            try Data(balances.utf8).write(to: URL(filePath: app + "/balances.json"))
            let program = Project.binaries.appending(path: "widgetbridge").path
            let agent = try Running(
                command: [program, "agent", "--app", app, "--group", group, "--state", state]
            )
            #expect(await agent.line() == "ready")
            let hash = try await askAgent(app: app, group: group, state: state)
            #expect(hash.hasPrefix("sha256:"))
            #expect(try readBalances(in: group).accountCount == 3)
            agent.send(SIGTERM)
            #expect(await agent.ended().status == 0)
        }
    }

    @Test("use a simulated bridge")
    func simulated() async throws {
        #expect(try await simulateBudget(try budget()).map(\.kind) == ["BudgetWidget"])
        #expect(try await addSpending(SimulatedBridge().bridge) == 12.5)
        try await passTap(SimulatedBridge(profile: .builtIn("habits")).bridge)
    }

    @Test("handle a tap beside another save, and resolve a conflict")
    func decisions() async throws {
        let bridge = try SimulatedBridge().bridge
        try await bridge.write(#"{"completed":false}"#.utf8, to: "habits.json", expecting: .nothing)
        try await complete(in: bridge)
        try await bridge.wait()
        let habits = try await bridge.read("habits.json", in: .app)
        #expect(habits.bytes == Array(#"{"completed":true}"#.utf8))
        try await bridge.write(#"{"a":1}"#.utf8, to: "budget.json", in: .app)
        try await bridge.write(#"{"a":2}"#.utf8, to: "budget.json", in: .group)
        try await bridge.wait()
        try await showWhatWaits(bridge)
        #expect(try await bridge.conflicts().isEmpty)
    }

    @Test("search for races")
    func lab() async throws {
        #expect(try await exploreBudget() > 100)
        #expect(try await exploreCounter() > 100)
        #expect(try await exploreRegister() > 10)
    }

    @Test("tell the lab what they save, and save without one, too")
    func telling() async throws {
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "budget.json")
            try saveForTheLab(try budget(), to: file.path)
            #expect(try Data(contentsOf: file) == Data(try budget()))
        }
    }

    private func budget() throws -> [UInt8] {
        Array(try Project.text(of: "Scripts/support/documents/budget.json").utf8)
    }

    private func withContainers(
        _ body: (_ app: String, _ group: String, _ state: String) async throws -> Void
    )
        async throws
    {
        try await withTemporaryDirectory { directory in
            let paths = ["app", "group", "state"].map { directory.appending(path: $0) }
            for container in paths.prefix(2) {
                try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
            }
            try await body(paths[0].path, paths[1].path, paths[2].path)
        }
    }
}

@Suite("The parser of the documentation's examples")
struct DocumentationReaderTests {
    @Test("reads commands with their output, continued lines and here-documents")
    func reads() {
        let text = """
            ```console
            $ echo one \\
                two
            one two
            $ cat > file <<'END'
            $ not a command
            END
            ```
            ```sh
            $ not run
            ```
            ```swift
            let a = 1
            ```
            """
        let page = DocumentationPage(text)
        #expect(
            page.commands.map(\.text) == [
                "echo one \\\n    two", "cat > file <<'END'\n$ not a command\nEND",
            ]
        )
        #expect(page.commands.map(\.output) == [["one two"], []])
        #expect(page.examples == ["let a = 1"])
    }

    @Test("accepts differences only in times and beneath a `…`")
    func compares() {
        #expect(
            matches(shown: ["a … c", "…", "took   1.2 ms"], printed: ["a b c", "x", "y", "took 310 ms"])
        )
        #expect(!matches(shown: ["a"], printed: ["b"]))
        #expect(!matches(shown: ["a"], printed: ["a", "b"]))
        #expect(!matches(shown: [], printed: ["b"]))
        #expect(!matches(shown: ["a … c"], printed: ["a b d"]))
        #expect(!matches(shown: ["took 1 ms, 3 left"], printed: ["took 1 ms, 4 left"]))
    }

    @Test("runs commands in one shell, and continues when a background command has printed its lines")
    func runs() async throws {
        try await withTemporaryDirectory { directory in
            let page = DocumentationPage(
                """
                ```console
                $ word=there
                $ (echo ready; exec cat /dev/zero) &
                ready
                $ echo hello $word; ls nowhere
                ```
                """
            )
            let outputs = try await Shell(directory: directory, environment: ["LC_ALL": "C"]).outputs(
                of: page.commands
            )
            #expect(outputs.count == 3)
            #expect(outputs.first == [])
            #expect(outputs.dropFirst().first == ["ready"])
            #expect(outputs.last?.first == "hello there")
            #expect(outputs.last?.last?.contains("nowhere") == true)
        }
    }
}

extension String {
    /// An example with its imports is a whole program; the others are parts of `LibraryExample.swift`.
    fileprivate var isProgram: Bool { hasPrefix("import ") }
}
