import Foundation
import TestWorld
import Testing

@testable import Commands

/// A directory with stores that Python's own modules write and read.
struct StoreWorld {
    let directory: String

    static func with(_ body: (StoreWorld) async throws -> Void) async throws {
        try await withDirectory { try await body(StoreWorld(directory: $0)) }
    }

    func path(_ name: String) -> String { "\(directory)/\(name)" }

    /// Runs a program in the directory, with what most stores need.
    @discardableResult
    func python(_ program: String) async throws -> String {
        let start = "import datetime, hashlib, json, os, plistlib, sqlite3\nos.chdir('\(directory)')\n"
        let ended = await (try Running(command: ["/usr/bin/python3", "-c", start + program])).ended()
        try #require(ended.status == 0, "\(ended.errors)")
        return ended.output
    }

    /// A command line in this process. `D` stands for the directory in what it prints.
    func run(_ words: String...) async -> Ran {
        let ran = await CommandsTests.run(["store"] + [words[0], path(words[1])] + words.dropFirst(2))
        return Ran(
            status: ran.status,
            output: ran.output.replacing(directory, with: "D"),
            errors: ran.errors.replacing(directory, with: "D")
        )
    }

    /// One of the built program, which reads standard input.
    func binary(_ words: String..., input: String = "") async throws -> Binary.Ended {
        try await Binary.run(["store", words[0], path(words[1])] + words.dropFirst(2), input: input)
    }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory).sorted()
    }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

    static let preferences = """
        <?xml version='1.0' encoding='utf-8' standalone='yes' ?>
        <map>
            <string name="month">Gennaio 2026</string>
            <long name="spent" value="4646632896004620288" />
            <boolean name="home_widget.double.spent" value="true" />
            <int name="expenseCount" value="23" />
            <null name="groupName" />
            <set name="tags"><string>a</string></set>
        </map>

        """

    static let plist = """
        values = {'text': '{"spent":450.5}', 'real': 450.5, 'integer': -3, 'big': 2**63 + 5, 'bool': True,
            'data': b'\\0\\x01ab', 'date': datetime.datetime(2026, 1, 18, 14, 30),
            'array': [1, 'x', {'b': b'zz', 'a': 2.0}]}

        """
}
