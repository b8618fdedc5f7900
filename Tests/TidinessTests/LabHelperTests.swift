import Foundation
import Testing

/// The guide's helper in one language, in a program that saves a document and tells the lab of it.
struct LabHelper: CustomTestStringConvertible, Sendable {
    /// As the guide marks its block.
    let language: String
    /// What runs or compiles it.
    let tool: String
    /// The program around it; `HELPER` stands for it.
    let program: String
    /// Runs the program, which is in `FILE`; `$1` is the content that it tells.
    let command: String

    var testDescription: String { language }

    static let all = [
        LabHelper(
            language: "python",
            tool: "python3",
            program: """
                HELPER
                import sys
                with open(".new", "wb") as file: file.write(b"1")
                os.rename(".new", "a.json")
                lab("saved", "a.json", sys.argv[1].encode())
                """,
            command: #"exec python3 FILE "$1""#
        ),
        LabHelper(
            language: "c",
            tool: "clang",
            program: """
                #include <stdio.h>
                #include <stdlib.h>
                HELPER
                int main(int count, char **words) {
                    FILE *file = fopen(".new", "w");
                    fputs("1", file);
                    fclose(file);
                    rename(".new", "a.json");
                    lab("saved", "a.json", words[1]);
                }
                """,
            command: #"""
                clang -x c FILE -o FILE.out || exit 9
                exec FILE.out "sha256:$(printf %s "$1" | sha256sum | cut -c1-64)"
                """#
        ),
    ]

    /// Those whose tool this machine has.
    static var usable: [LabHelper] {
        let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        return all.filter { helper in
            directories.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(helper.tool)") }
        }
    }
}

@Suite("The guide's helpers for telling the lab")
struct LabHelperTests {
    private static let guide = "\(DocumentationPage.catalogue)/TestingForRaces.md"

    private func block(_ language: String) throws -> String {
        let page = DocumentationPage(try Project.text(of: Self.guide))
        return try #require(page.blocks[language]?.first)
    }

    @Test("have at most five lines", arguments: LabHelper.all)
    func length(helper: LabHelper) throws {
        #expect(try block(helper.language).split(separator: "\n").count <= 5)
    }

    @Test("are heard: the truth leaves no doubt, and a lie does", arguments: LabHelper.usable)
    func heard(helper: LabHelper) async throws {
        let helperText = try block(helper.language)
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: "program").path
            let text = helper.program.replacing("HELPER", with: helperText)
            try Data(text.utf8).write(to: URL(filePath: file))
            for (content, isTrue) in [("1", true), ("2", false)] {
                let app = "set -- \(content)\n" + helper.command.replacing("FILE", with: file)
                let race = ["race", "run", "--control", "stops", "--app", app, "--patience", "60s"]
                let program = Project.binaries.appending(path: "widgetbridge").path
                let printed = try await output(of: program, race, in: directory, environment: [:]).text
                #expect(printed.contains("told that it saved a.json") != isTrue, "\(printed)")
                #expect(printed.contains("found     no anomaly"), "\(printed)")
            }
        }
    }
}
