import Foundation
import Testing
import WidgetBridge

@Suite("README")
struct ReadmeTests {
    @Test("shows what its commands print", .timeLimit(.minutes(5)))
    func commands() async throws {
        let commands = Readme(try Project.text(of: "README.md")).commands
        #expect(commands.count > 10)
        try await withTemporaryDirectory { directory in
            try FileManager.default.createSymbolicLink(
                at: directory.appending(path: "Scripts"),
                withDestinationURL: Project.root.appending(path: "Scripts")
            )
            let binaries = Project.binaries.path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            let shell = Shell(
                directory: directory,
                environment: [
                    "HOME": directory.path,
                    "PATH": "\(binaries):\(path)",
                    "WIDGETBRIDGE_BIN": binaries,
                    "XDG_STATE_HOME": directory.appending(path: ".state").path,
                ]
            )
            let outputs = try await shell.outputs(of: commands)
            #expect(outputs.count == commands.count)
            for (command, printed) in zip(commands, outputs) {
                #expect(
                    matches(shown: command.output, printed: printed),
                    "README.md:\(command.line): \(command.text)\n\(printed.joined(separator: "\n"))"
                )
            }
        }
    }

    @Test("has each Swift example word for word from one that is compiled")
    func examples() throws {
        let examples = Readme(try Project.text(of: "README.md")).examples
        #expect(!examples.isEmpty)
        let compiled = unindented(try Project.text(of: "Tests/TidinessTests/LibraryExample.swift"))
        for example in examples { #expect(compiled.contains(unindented(example))) }
    }

    @Test("has an example of the library that works")
    func library() async throws {
        try await withTemporaryDirectory { directory in
            let containers = ["app", "group"].map { directory.appending(path: $0) }
            for container in containers {
                try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
            }
            let budget = Array(try Project.text(of: "Scripts/support/documents/budget.json").utf8)
            let state = directory.appending(path: "state")
            let notices = try await showBudget(
                app: containers[0].path,
                group: containers[1].path,
                state: state.path,
                budget: budget
            )
            #expect(notices.map(\.kind) == ["BudgetWidget"])
            #expect(notices.map(\.cause) == [.current])
        }
    }

    @Test("has an example of the race lab that works")
    func lab() async throws { #expect(try await exploreBudget() > 100) }

    private func unindented(_ text: String) -> String {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .joined(separator: "\n")
    }
}

@Suite("README's reader")
struct ReadmeReaderTests {
    @Test("takes commands with their output, broken lines and here-documents")
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
        let readme = Readme(text)
        #expect(
            readme.commands.map(\.text) == [
                "echo one \\\n    two", "cat > file <<'END'\n$ not a command\nEND",
            ]
        )
        #expect(readme.commands.map(\.output) == [["one two"], []])
        #expect(readme.examples == ["let a = 1"])
    }

    @Test("takes a line for another only where they differ in a time or beneath a `…`")
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

    @Test("runs commands in one shell, and goes on when one in the background has said its lines")
    func runs() async throws {
        try await withTemporaryDirectory { directory in
            let readme = Readme(
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
                of: readme.commands
            )
            #expect(outputs.count == 3)
            #expect(outputs.first == [])
            #expect(outputs.dropFirst().first == ["ready"])
            #expect(outputs.last?.first == "hello there")
            #expect(outputs.last?.last?.contains("nowhere") == true)
        }
    }
}
