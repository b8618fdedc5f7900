import Foundation
import Testing

/// The manual pages, compared with the sources and checked with man and troff.
@Suite("Manual pages")
struct ManualTests {
    private static let pages = ["widgetbridge", "widgetbridge.yaml", "widgetbridge-scenario"]
    private static let checkers = [
        ["groff", "-man", "-Tutf8", "-ww", "-z"], ["mandoc", "-T", "lint", "-W", "warning"],
    ]

    @Test("name each environment variable that is read")
    func environment() async throws {
        let page = try await page("widgetbridge")
        let sources = try Project.swiftFiles(in: "Sources").map(\.text).joined()
        let variables = sources.matches(of: /(?:environment\[|getenv\(|environment\()"([A-Z_]+)"/)
        #expect(variables.count > 8)
        for variable in Set(variables.map { String($0.1) }) {
            #expect(page.contains(variable), "\(variable)")
        }
    }

    @Test("name each key of a profile")
    func keys() async throws {
        let page = try await page("widgetbridge.yaml")
        let readers = try Project.swiftFiles(in: "Sources/Documents/Profiles").map(\.text).joined()
        let calls = readers.matches(of: /(?:fields|needed)\(\[?\s*((?:"\w+",?\s*)+)/)
        let keys = Set(calls.flatMap { $0.1.matches(of: /\w+/).map { String($0.0) } })
        #expect(keys.count > 40)
        for key in keys { #expect(page.contains(key), "\(key)") }
    }

    @Test("are formatted without a warning", arguments: pages, checkers)
    func warnings(name: String, checker: [String]) async throws {
        let text = try await page(name)
        guard let program = Self.find(checker[0]) else { return }
        try await withTemporaryDirectory { directory in
            let file = directory.appending(path: name).path
            try Data(text.utf8).write(to: URL(filePath: file))
            let checked = try await output(of: program, checker.dropFirst() + [file])
            #expect(checked.text.isEmpty, "\(checked.text.prefix(500))")
        }
    }

    private func page(_ name: String) async throws -> String {
        try await output(of: Project.binaries.appending(path: "widgetbridge").path, ["manual", name]).text
    }

    /// `nil` if it is not installed.
    private static func find(_ program: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
